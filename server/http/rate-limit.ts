import ipaddr from 'ipaddr.js';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Principal } from '../platform/context.ts';

/** What is left of a caller's budget. */
export interface Budget {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

interface Settings {
  /** Requests a minute for each key. */
  perKey: number;
  /** Requests a minute for each client address without a valid key. */
  perAddress: number;
  /** Several processes count in PostgreSQL; one counts in memory. */
  shared: Pool | null;
  /** Called for each request that is counted in memory because the shared store failed. */
  onFallback(): void;
}

const window = 60;

/** Fixed-window budgets. When the shared store fails, each process goes on alone at the same limit. */
export class RateLimits {
  readonly #keys: RateLimiterAbstract;
  readonly #addresses: RateLimiterAbstract;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#keys = limiter('key', settings.perKey, settings);
    this.#addresses = limiter('address', settings.perAddress, settings);
  }

  /** Counts against a key's budget; every spelling of one key has the same. */
  forPrincipal(principal: Principal, cost = 1): Promise<Budget> {
    return consume(this.#keys, principal.id ?? 'system', this.#settings.perKey, cost);
  }

  /** Counts against the budget of an address: an IPv4 address, or the /64 of an IPv6 one. */
  forAddress(address: string | undefined): Promise<Budget> {
    return consume(this.#addresses, networkOf(address), this.#settings.perAddress, 1);
  }

  /** Reads an address's budget without counting. */
  async addressBudget(address: string | undefined): Promise<Budget> {
    const limit = this.#settings.perAddress;
    const result = await this.#addresses.get(networkOf(address));
    return result
      ? budgetOf(result, limit, result.remainingPoints > 0)
      : { allowed: true, limit, remaining: limit, resetSeconds: window };
  }
}

/** Takes over when the shared store fails, and says so. */
class Fallback extends RateLimiterMemory {
  onFallback = (): void => {};

  override consume(key: string | number, points?: number): Promise<RateLimiterRes> {
    this.onFallback();
    return super.consume(key, points);
  }
}

function limiter(keyPrefix: string, points: number, { shared, onFallback }: Settings): RateLimiterAbstract {
  if (!shared) return new RateLimiterMemory({ keyPrefix, points, duration: window });
  const fallback = new Fallback({ keyPrefix, points, duration: window });
  fallback.onFallback = onFallback;
  return new RateLimiterPostgres({
    storeClient: shared,
    // The library goes by the name of the class, and ours is not called Pool.
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix,
    points,
    duration: window,
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
