import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Principal } from '../platform/context.ts';
import type { Redis } from '../platform/redis.ts';
import type { Budget } from '../platform/services.ts';

/** A try at a secret, or a request for a mail. */
export interface Attempt {
  kind: 'guess' | 'request';
  /** Whose; null where only the address is known. */
  account: string | null;
  address: string | undefined;
}

interface Settings {
  /** Requests a minute for each key. */
  perKey: number;
  /** Requests a minute for each client address without a valid key. */
  perAddress: number;
  /** Failed tries at signing in, in a quarter of an hour, for each account and each address. */
  signInAttempts: number;
  /** Where processes count together: Redis, or else PostgreSQL. Without either, this one counts in memory. */
  shared: Redis | Pool | null;
  /** Called for each request that is counted in memory because the shared store failed. */
  onFallback(): void;
}

const window = 60;
/** Of tries at signing in, in seconds. */
const signInWindow = 900;
/** A dashboard asks for more than a program does: pages, previews, what the next key press may open. */
const sessionFactor = 10;

/** Fixed-window budgets. When the shared store fails, each process goes on alone at the same limit. */
export class RateLimits {
  readonly #keys: RateLimiterAbstract;
  readonly #addresses: RateLimiterAbstract;
  readonly #sessions: RateLimiterAbstract;
  readonly #attempts: RateLimiterAbstract;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#keys = limiter('key', settings.perKey, settings);
    this.#addresses = limiter('address', settings.perAddress, settings);
    this.#sessions = limiter('session', settings.perKey * sessionFactor, settings);
    this.#attempts = limiter('attempt', settings.signInAttempts, settings, signInWindow);
  }

  /** Counts against a key's budget; every spelling of one key has the same. All sessions of a user share one. */
  forPrincipal(principal: Principal, cost = 1): Promise<Budget> {
    if (principal.kind === 'user')
      return consume(this.#sessions, String(principal.id), this.#settings.perKey * sessionFactor, cost);
    return consume(this.#keys, principal.id ?? 'system', this.#settings.perKey, cost);
  }

  /** Counts against the budget of an address: an IPv4 address, or the /64 of an IPv6 one. */
  forAddress(address: string | undefined): Promise<Budget> {
    return consume(this.#addresses, networkOf(address), this.#settings.perAddress, 1);
  }

  /** Counts a try at signing in, before it is made: for the account and for the address. */
  async beginAttempt(attempt: Attempt): Promise<Budget> {
    const limit = this.#settings.signInAttempts;
    const { account, address } = attemptBuckets(attempt);
    const buckets = account === null ? [address] : [address, account];
    const budgets = await Promise.all(buckets.map((bucket) => consume(this.#attempts, bucket, limit, 1)));
    return budgets.reduce((worst, budget) => (budget.allowed ? worst : budget));
  }

  /** A try that succeeded: the account starts anew, the address gets its point back. */
  async forgiveAttempt(attempt: Attempt): Promise<void> {
    const { account, address } = attemptBuckets(attempt);
    if (account !== null) await this.#attempts.delete(account);
    await this.#attempts.reward(address, 1);
  }

  /** Reads an address's budget without counting. */
  addressBudget(address: string | undefined): Promise<Budget> {
    return read(this.#addresses, networkOf(address), this.#settings.perAddress);
  }

  /** Reads a key's budget without counting. */
  keyBudget(id: string): Promise<Budget> {
    return read(this.#keys, id, this.#settings.perKey);
  }
}

async function read(limiter: RateLimiterAbstract, bucket: string, limit: number): Promise<Budget> {
  const result = await limiter.get(bucket);
  return result
    ? budgetOf(result, limit, result.remainingPoints > 0)
    : { allowed: true, limit, remaining: limit, resetSeconds: window };
}

/** Takes over when the shared store fails, and says so. */
class Fallback extends RateLimiterMemory {
  onFallback = (): void => {};

  override consume(key: string | number, points?: number): Promise<RateLimiterRes> {
    this.onFallback();
    return super.consume(key, points);
  }
}

function attemptBuckets({ kind, account, address }: Attempt) {
  const hash = account === null ? null : createHash('sha256').update(account).digest('base64url');
  return {
    account: hash === null ? null : `${kind}:account:${hash}`,
    address: `${kind}:address:${networkOf(address)}`,
  };
}

function limiter(
  keyPrefix: string,
  points: number,
  { shared, onFallback }: Settings,
  duration = window,
): RateLimiterAbstract {
  if (!shared) return new RateLimiterMemory({ keyPrefix, points, duration });
  const fallback = new Fallback({ keyPrefix, points, duration });
  fallback.onFallback = onFallback;
  if ('commands' in shared) {
    return new RateLimiterRedis({
      storeClient: shared.commands,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix: `${shared.prefix}${keyPrefix}`,
      points,
      duration,
      insuranceLimiter: fallback,
    });
  }
  return new RateLimiterPostgres({
    storeClient: shared,
    // The library goes by the name of the class, and ours is not called Pool.
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix,
    points,
    duration,
    insuranceLimiter: fallback,
  });
}

async function consume(
  limiter: RateLimiterAbstract,
  bucket: string,
  limit: number,
  cost: number,
): Promise<Budget> {
  try {
    return budgetOf(await limiter.consume(bucket, cost), limit, true);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return budgetOf(refused, limit, false);
    throw refused;
  }
}

function budgetOf(result: RateLimiterRes, limit: number, allowed: boolean): Budget {
  return {
    allowed,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** The client an address stands for: IPv4-mapped spellings are the IPv4 address, IPv6 counts by /64. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toByteArray().slice(0, 8).join('.');
}
