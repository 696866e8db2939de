import type fc from 'fast-check';
import { errors } from '../../schema/errors.ts';
import type { Received, Sent } from './exchange.ts';
import { resolve } from './references.ts';
import type { Actor, World } from './world.ts';

/** A call that was made up; nothing but JSON, so that it can be printed and repeated. */
export interface Plan {
  surface: string;
  operation: string;
  /** Name of an actor. */
  actor: string;
}

/** One way into the service, as the fuzzer sees it. */
export interface Surface<P extends Plan = Plan> {
  name: string;
  /** How often it is called, beside the others. */
  weight: number;
  /** Arbitrary calls, by operation. */
  plans: ReadonlyMap<string, fc.Arbitrary<P>>;
  /** Calls that only read, to know what there is. */
  tours: readonly P[];
  /** Kind of the records that an operation answers with. */
  kind(plan: P): string;
  /** The request of a plan, its references replaced. */
  request(plan: P, actor: Actor): Sent;
  /** What is wrong with an answer, beside what is wrong on any surface. */
  judge(plan: P, actor: Actor, received: Received): string[];
}

/** Values of references for an actor. */
export function filled<T>(world: World, actor: Actor, value: T): T {
  return resolve(value, (reference) =>
    (reference.foreign ? world.foreignPool(actor) : world.pool(actor)).pick(reference),
  ) as T;
}

export function codesOf(status: number): string[] {
  return Object.entries(errors).flatMap(([code, row]) => (row.status === status ? [code] : []));
}

/** What is wrong with the headers that every answer has [K8]. */
export function headerFaults({ status, headers }: Received, actor: Actor): string[] {
  const faults: string[] = [];
  const check = (name: string, pattern: RegExp) => {
    if (!pattern.test(String(headers[name] ?? ''))) faults.push(`the header ${name} is ${headers[name]}`);
  };
  check('x-request-id', /^[0-9A-HJKMNP-TV-Z]{26}$/);
  // What is no HTTP is answered before anybody knows whose it is.
  const early = actor.unknown || (status === 400 && headers.connection === 'close');
  check('x-service-mode', early ? /^(live|test)$/ : new RegExp(`^${actor.mode}$`));
  check('x-ratelimit-limit', /^\d+$/);
  check('x-ratelimit-remaining', /^\d+$/);
  check('retry-after', status === 429 ? /^[1-9]\d*$/ : /^\d+$/);
  check('x-content-type-options', /^nosniff$/);
  if (headers['x-powered-by'] !== undefined) faults.push('the header x-powered-by is there');
  if (status === 405) check('allow', /^[A-Z, ]+$/);
  if (status !== 204 && headers['content-length'] !== '0')
    check('content-type', /^application\/(graphql-response\+)?json(; charset=utf-8)?$/);
  return faults;
}
