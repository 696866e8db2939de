import type { Grant } from '../../schema/scopes.ts';
import type { Db } from './database.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A company as the context carries it. */
export interface CompanyRef {
  id: string;
  name: string;
  timezone: string;
  currency: string;
}

/** The agent on whose behalf something is done, as a row of the company acted on. */
export interface UserRef {
  id: string;
  email: string;
  name: string;
}

/** Somebody who writes on a web page without an account: what their token says of them. */
export interface VisitorRef {
  id: string;
  channelId: string;
  name: string | null;
  email: string | null;
  /** The page's own server has vouched for name and e-mail. */
  verified: boolean;
}

/** Who acts. A key acts as its user (decisions §0.16). A visitor may do what is declared for visitors, nothing else. */
export interface Principal {
  kind: 'api_key' | 'user' | 'system' | 'visitor';
  /** Id of the key or user; null for the system. Rate and idempotency budgets hang on it. */
  id: string | null;
  /** Name of the key, or display name of the user. */
  name: string;
  user: UserRef | null;
  /** The live company that the key or session belongs to. */
  account: CompanyRef;
  /** The company acted on: the account itself, or its sandbox twin for a test key. */
  company: CompanyRef;
  livemode: boolean;
  role: string | null;
  grants: ReadonlySet<Grant>;
  /** Set for a visitor alone. */
  visitor?: VisitorRef;
  /** Id of the dashboard session; absent for keys and the system. */
  session?: string;
  /** Set where a session comes with its GraphQL key: it may send documents that the dashboard does not ship. */
  anyDocument?: true;
}

/** What every operation is given. One per request, job run or command. */
export interface Context {
  app: Services;
  requestId: string;
  /** Network address of the caller, where there is one. */
  address?: string | undefined;
  principal: Principal;
  /** Id of the company acted on; every query of a tenant table names it. */
  companyId: string;
  db: Db;
  log: Log;
  now(): Date;
  /** Set while a unit of work is open around this context (a GraphQL request with a test key). */
  work: UnitOfWork | null;
  /** What the operation prepared before its transaction. */
  prepared?: object;
  /** What the transport knows of the Idempotency-Key of this call. */
  idempotency: IdempotencyRequest | null;
  /** Where a procedure puts response headers of its answer; null where the transport sends none. */
  headers: Record<string, string> | null;
}

/** One keyed request: which key, of what bytes, and how its answer is stored. */
export interface IdempotencyRequest {
  key: string;
  fingerprint: Buffer;
  /** Turns the value into what goes over the wire, so that a replay is the same to the byte. */
  serialize(value: unknown): StoredResponse;
  /** What was stored, for the transport to send. */
  response: StoredResponse | null;
}

export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A context of a caller that is known already. */
export function createContext(app: Services, principal: Principal, requestId: string): Context {
  let log: Log | undefined;
  return {
    app,
    requestId,
    principal,
    companyId: principal.company.id,
    db: app.prisma,
    // Made when something is logged: it costs more than a read by id.
    get log() {
      return (log ??= app.log.child({
        request_id: requestId,
        company_id: principal.account.id,
        key_id: principal.id,
      }));
    },
    now: () => app.clock.now(),
    work: null,
    idempotency: null,
    headers: null,
  };
}

/** Who did it, as rows keep it. */
export function actorOf({ principal }: Pick<Context, 'principal'>) {
  return { type: principal.kind, id: principal.id, name: principal.name, user: principal.user?.id ?? null };
}

/** For what goes on longer than a request: the context tells who the caller is now, not who it was at the start. */
export function followPrincipal(ctx: Context, current: () => Principal): Context {
  return Object.defineProperty(ctx, 'principal', { get: current, enumerable: true });
}
