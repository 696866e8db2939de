import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/**
 * Drops a database of the tests and ends whoever is connected. An autovacuum worker may be in there, and only a
 * superuser could end it; it leaves by itself soon.
 */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (let tries = 1; ; tries++) {
      try {
        await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
        return;
      } catch (error) {
        if (tries === 120) throw error;
        await wait(250);
      }
    }
  } finally {
    await client.end();
  }
}
