import { Prisma } from '../../prisma/generated/client/client.ts';

/** Whether a row's name is this one to who reads it: whatever its case, the blanks around it and how accents are composed. */
export function sameName(name: string): Prisma.Sql {
  return Prisma.sql`lower(normalize(btrim(name), NFC)) = lower(normalize(btrim(${name}), NFC))`;
}

/** Prisma's filter for a text whatever its case. It asks with ILIKE, where `_` and `%` of the text would stand for others. */
export function inAnyCase(text: string): { equals: string; mode: 'insensitive' } {
  return { equals: text.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' };
}
