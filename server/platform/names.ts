import { Prisma } from '../../prisma/generated/client/client.ts';
import { invalidField } from './errors.ts';
import { literally } from './pagination.ts';
import type { WorkContext } from './unit-of-work.ts';

/**
 * Names are one to who reads them, whatever their case, the blanks around them and how accents are composed.
 * @param self id of the record that may keep its own
 * @throws AppError `validation_failed` with code `duplicate` and the id of the record that has the name
 */
export async function refuseTakenName(
  ctx: WorkContext,
  resource: 'channel' | 'role' | 'tag',
  name: string,
  self = '',
): Promise<void> {
  const [taken] = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${Prisma.raw(`${resource}s`)} WHERE company_id = ${ctx.companyId}
      AND lower(normalize(btrim(name), NFC)) = lower(normalize(btrim(${name}), NFC)) AND id <> ${self}`;
  if (taken) throw invalidField('name', 'duplicate', `Another ${resource} has this name.`, taken.id);
}

/** Prisma's filter for a text whatever its case. It asks with ILIKE. */
export function inAnyCase(text: string): { equals: string; mode: 'insensitive' } {
  return { equals: literally(text), mode: 'insensitive' };
}
