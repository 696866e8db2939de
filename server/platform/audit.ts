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
 * Writes down who did what, in the transaction of the change: one statement. Only people and keys, and not in test mode,
 * which changes nothing. Values are not kept, so the row says nothing that has to be erased.
 */
export async function recordAudit(
  ctx: WorkContext,
  operation: Pick<AnyOperation, 'targets'>,
  input: unknown,
  result: unknown,
): Promise<void> {
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
  await ctx.db.$executeRaw`
    INSERT INTO audit_logs (company_id, id, sequence, actor_type, actor_id, actor_name, api_key_id, action,
      target_type, target_id, changed, request_id, ip, at)
    VALUES (${ctx.companyId}, ${newId()}, event_sequence_base(), ${key === null ? 'agent' : 'api_key'},
      ${principal.user?.id ?? null}, ${key === null ? who : `${who} (API: ${principal.name})`}, ${key}, ${action},
      ${action.slice(0, action.indexOf('.'))}, ${targetId}, ${changed.slice(0, fieldMaximum)}, ${ctx.requestId},
      ${ctx.address ?? null}, ${ctx.now()})`;
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
