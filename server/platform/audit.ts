import { hash } from 'node:crypto';
import { Prisma } from '../../prisma/generated/client/client.ts';
import type { EventDraft } from './events.ts';
import type { AnyOperation } from './operation.ts';
import { newId } from './ids.ts';
import type { WorkContext } from './unit-of-work.ts';

const names = new WeakMap<object, string>();

/** Tells the audit log what operations are called: `contacts.update`. Done once, when the service starts. */
export function nameOperations(facts: readonly { name: string; operation: object }[]): void {
  for (const { name, operation } of facts) names.set(operation, name);
}

/** At most so many names of fields are kept. */
const fieldMaximum = 50;

/**
 * Writes down who did what, in the transaction of the change and with its events. Only people and keys, and not in test
 * mode, which changes nothing. Of values only hashes are kept, so the row says nothing that has to be erased.
 */
export function recordAudit(
  ctx: WorkContext,
  operation: Pick<AnyOperation, 'targets'>,
  input: unknown,
  result: unknown,
): void {
  const { principal } = ctx;
  const action = names.get(operation);
  if (action === undefined || !principal.livemode) return;
  if (principal.kind !== 'user' && principal.kind !== 'api_key') return;
  const key = principal.kind === 'api_key' ? principal.id : null;
  const who = principal.user?.name ?? principal.name;
  const targets = Object.keys(operation.targets ?? {});
  const last = targets.at(-1);
  const targetId = last === undefined ? idIn(result) : textOf(fieldOf(input, last));
  const given = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  const changed = given.filter((name) => !targets.includes(name) && /^\w{1,64}$/.test(name));
  const [before, after] = recordsOf(ctx.emitted(), targetId, result);
  ctx.attach(Prisma.sql`
    INSERT INTO audit_logs (company_id, id, sequence, actor_type, actor_id, actor_name, api_key_id, action,
      target_type, target_id, before_hash, after_hash, changed, request_id, ip, at)
    VALUES (${ctx.companyId}, ${newId()}, event_sequence_base(), ${key === null ? 'agent' : 'api_key'},
      ${principal.user?.id ?? null}, ${key === null ? who : `${who} (API: ${principal.name})`}, ${key}, ${action},
      ${action.slice(0, action.indexOf('.'))}, ${targetId}, ${hashOf(before)}, ${hashOf(after)}, ${changed.slice(0, fieldMaximum)}, ${ctx.requestId},
      ${ctx.address ?? null}, ${ctx.now()})`);
}

/**
 * The record before and after, as its event tells them; where none does, what the operation answered. Null before what
 * is new, and where nobody knows it.
 */
function recordsOf(events: readonly EventDraft[], id: string | null, result: unknown): [unknown, unknown] {
  const told = events.find((event) => id !== null && fieldOf(event.object, 'id') === id);
  if (!told) return [null, fieldOf(result, 'data') ?? result];
  const { object, previous } = told;
  return [previous === undefined ? null : { ...object, ...previous }, object];
}

/** SHA-256 of a record as JSON with its keys in order, by which whoever has it can tell that it is the one. */
function hashOf(record: unknown): Uint8Array<ArrayBuffer> | null {
  if (record === null || record === undefined) return null;
  const text = JSON.stringify(record, (_name, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return Uint8Array.from(hash('sha256', text, 'buffer'));
}

/** Of a record, or of the body that shows it. */
function idIn(result: unknown): string | null {
  return textOf(fieldOf(result, 'id') ?? fieldOf(fieldOf(result, 'data'), 'id'));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Ids are short; anything longer was none. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 64 ? value : null;
}
