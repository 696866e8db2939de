import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCompany } from '../../../server/account/companies.ts';
import { benchSecret, inHouse } from '../house.ts';
import type { Trial } from '../trial.ts';

const projectDir = path.resolve(import.meta.dirname, '../../..');

/** `parlour import contacts` from a file, from the start of the program to its end. */
export const importing: Trial = {
  name: 'CSV import',
  async run(place) {
    const rows = place.small ? 50 : 50_000;
    const { company } = await inHouse({ databaseUrl: place.url, dataDir: place.folder }, (app) =>
      createCompany(app, {
        name: 'Importing',
        ownerEmail: `owner-${process.pid}@importing.example`,
        ownerPassword: 'correct horse battery',
      }),
    );
    const file = path.join(place.folder, 'contacts.csv');
    const lines = Array.from(
      { length: rows },
      (_, n) => `Nova Pinho ${n},+3519${10_000_000 + n},nova-${n}@new.example,PT,1`,
    );
    writeFileSync(file, `name,phone,email,country,subscribed\n${lines.join('\n')}\n`);
    const started = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...place.flags, 'server/main.ts', '--json', 'import', 'contacts', file, '--company', company],
      {
        cwd: projectDir,
        env: {
          PATH: process.env['PATH'] ?? '',
          NODE_ENV: 'production',
          DATABASE_URL: place.url,
          DATA_DIR: place.folder,
          SECRET: benchSecret,
        },
      },
    );
    const seconds = (performance.now() - started) / 1_000;
    const { created } = JSON.parse(stdout) as { created: number };
    if (created !== rows) throw new Error(`Of ${rows} rows ${created} were made.`);
    return [
      {
        name: 'CSV import, contacts',
        value: rows / seconds,
        unit: '/s',
        goal: { least: 10_000 },
        how: `${rows.toLocaleString('en')} rows, the start of the program included`,
      },
    ];
  },
};
