import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { dropDatabase } from './drop-database.ts';

/** Template of all empty databases, without migrations. */
const blank = `template0 ENCODING 'UTF8'`;

/** A database of one's own in some tens of milliseconds, drop it when done: migrated, or else empty. */
export async function createTestDatabase({ migrated = true } = {}): Promise<{
  url: string;
  drop: () => Promise<void>;
}> {
  const { adminUrl, prefix, template } = inject('postgres');
  const name = prefix + randomBytes(6).toString('hex');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${migrated ? template : blank}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(adminUrl, name) };
}
