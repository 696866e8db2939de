import fc from 'fast-check';
import { exchange, type Received } from './exchange.ts';
import type { Plan, Surface } from './surface.ts';
import type { Actor, World } from './world.ts';

export interface Settings {
  calls: number;
  seed: number;
  /** Only operations whose name has this in it. */
  only?: string;
}

interface Fault {
  what: string;
  /** The smallest call that shows it. */
  plan: string;
}

export interface Report {
  calls: number;
  faults: Fault[];
  statuses: Record<string, number>;
  /** Requests over two seconds. */
  slow: string[];
  /** Answers that failed because the machine was too busy. */
  overloaded: number;
  operations: number;
  /** Operations that no call has succeeded with. */
  never: string[];
}

const batch = 250;
/** So many calls are made to find a smaller one. */
const mostShrinks = 150;
/** A busy machine, not a bad call: the database did not answer in time. */
const overload = /timeout|timed out|too many clients|Unable to start a transaction/i;

/** Makes calls until so many are made; a fault of one kind at one operation is reported once, in its smallest form. */
export async function hunt(world: World, surfaces: readonly Surface[], settings: Settings): Promise<Report> {
  return new Hunt(world, surfaces, settings).run();
}

class Hunt {
  readonly #world: World;
  readonly #surfaces: ReadonlyMap<string, Surface>;
  readonly #settings: Settings;
  readonly #actors: ReadonlyMap<string, Actor>;
  readonly #known = new Set<string>();
  readonly #succeeded = new Set<string>();
  readonly #report: Report;

  constructor(world: World, surfaces: readonly Surface[], settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    this.#surfaces = new Map(surfaces.map((one) => [one.name, one]));
    this.#actors = new Map([...world.keys, ...world.pages].map((one) => [one.name, one]));
    this.#report = { calls: 0, faults: [], statuses: {}, slow: [], overloaded: 0, operations: 0, never: [] };
  }

  async run(): Promise<Report> {
    const { only = '', seed, calls } = this.#settings;
    const surfaces = [...this.#surfaces.values()];
    for (const { tours } of surfaces)
      for (const plan of tours) await this.#note(plan, await this.#faults(plan));
    const chosen = surfaces.flatMap(({ name, plans }) =>
      [...plans].flatMap(([operation, plan]) =>
        `${name} ${operation}`.includes(only) ? [{ name, operation, plan }] : [],
      ),
    );
    const all = fc.oneof(
      ...surfaces.flatMap(({ name: surface, weight }) => {
        const plans = chosen.filter(({ name }) => name === surface).map(({ plan }) => plan);
        return plans.length > 0 ? [{ weight, arbitrary: fc.oneof(...plans) }] : [];
      }),
    );
    const enough = this.#report.calls + calls;
    for (let n = 0; this.#report.calls < enough; n++)
      await this.#batch(all, Math.min(batch, enough - this.#report.calls), seed + n);
    const names = chosen.map(({ name, operation }) => `${name} ${operation}`);
    return {
      ...this.#report,
      operations: names.length,
      never: names.filter((name) => !this.#succeeded.has(name)),
    };
  }

  async #batch(plans: fc.Arbitrary<Plan>, numRuns: number, seed: number): Promise<void> {
    let failing: { what: string; plan: Plan } | undefined;
    let shrinks = 0;
    const property = fc.asyncProperty(plans, async (plan) => {
      if (failing && ++shrinks > mostShrinks) return;
      const faults = await this.#faults(plan);
      const fresh = faults.find((what) => !this.#known.has(signature(plan, what)));
      if (
        fresh === undefined ||
        (failing && signature(plan, fresh) !== signature(failing.plan, failing.what))
      )
        return;
      failing = { what: fresh, plan };
      throw new Error(fresh);
    });
    await fc.check(property, { numRuns, seed });
    if (!failing) return;
    await this.#note(failing.plan, [failing.what]);
  }

  async #note(plan: Plan, faults: string[]): Promise<void> {
    for (const what of faults) {
      if (this.#known.has(signature(plan, what))) continue;
      this.#known.add(signature(plan, what));
      this.#report.faults.push({ what, plan: JSON.stringify(plan).slice(0, 700) });
    }
  }

  /** Makes the call. @returns what is wrong with the answer */
  async #faults(plan: Plan): Promise<string[]> {
    const surface = this.#surfaces.get(plan.surface) as Surface;
    const actor = this.#actors.get(plan.actor) as Actor;
    const sent = surface.request(plan, actor);
    this.#report.calls++;
    let received: Received;
    try {
      received = await exchange(this.#world.url, sent);
    } catch (error) {
      return [`no answer: ${String(error)}`];
    }
    const { status, milliseconds, text, body, headers } = received;
    const name = `${plan.surface} ${plan.operation}`;
    this.#report.statuses[status] = (this.#report.statuses[status] ?? 0) + 1;
    if (status < 300) this.#succeeded.add(name);
    if (milliseconds > 2_000) this.#report.slow.push(`${name} ${Math.round(milliseconds)} ms`);
    const request = `${sent.path} ${sent.body?.toString() ?? ''}`;
    if (status >= 500 || text.includes('"server_error"')) {
      if (this.#world.isMagic(request)) return [];
      const cause = this.#world.cause(String(headers['x-request-id']));
      if (overload.test(cause)) this.#report.overloaded++;
      return overload.test(cause) ? [] : [`server_error: ${cause}`];
    }
    const leaks = actor.unknown ? [] : this.#world.leaks(actor, decodeURIComponentOr(request), text);
    this.#world.learn(actor, surface.kind(plan), text, body);
    const leaked = leaks.length > 0 ? [`tells of the other company: ${leaks.slice(0, 3).join()}`] : [];
    if (actor.unknown && ![401, 400, 413].includes(status))
      leaked.push(`${status} for somebody without a key`);
    return [...surface.judge(plan, actor, received), ...leaked];
  }
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The kind of a fault: figures and values are no part of it. */
function signature({ surface, operation }: Plan, what: string): string {
  // A header is the business of the surface, not of the operation.
  const where = what.startsWith('the header') ? surface : `${surface} ${operation}`;
  return `${where} ${what.replaceAll(/"(?:[^"\\]|\\.)*"|[0-9A-Z]{26}|\d+/g, '#').slice(0, 120)}`;
}
