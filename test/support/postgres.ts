import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgres').adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A migrated, empty database of one's own, in some tens of milliseconds; drop it when done. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { adminUrl, prefix, template } = inject('postgres');
  const name = prefix + randomBytes(6).toString('hex');
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(name) };
}

/** An autovacuum worker may be in there, and only a superuser could end it; it leaves by itself soon. */
async function dropDatabase(name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if (tries === 40) throw error;
      await wait(250);
    }
  }
}
