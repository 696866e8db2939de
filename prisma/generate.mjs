// Runs `prisma generate` without network.
//
// Prisma insists on a schema engine binary before it generates and would download one, though generation does not
// use it. Any existing executable satisfies the check, so unless a real engine is there or named, this one is.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function hasEngine() {
  try {
    const engines = dirname(require.resolve('@prisma/engines/package.json'));
    return readdirSync(engines).some((name) => /^schema-engine-.+/.test(name) && !name.endsWith('.tmp'));
  } catch {
    return false;
  }
}

const env = { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
if (!env.PRISMA_SCHEMA_ENGINE_BINARY && !hasEngine()) env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath;
// A config file in TypeScript may ask for the database; generation never connects.
delete env.DATABASE_URL;

const prisma = dirname(require.resolve('prisma/package.json'));
// The Pothos generator is started by its command's name.
env.PATH = [join(dirname(prisma), '.bin'), env.PATH].filter(Boolean).join(delimiter);

const cli = join(prisma, 'build', 'index.js');
const { status, error, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
  cwd: root,
  env,
  encoding: 'utf8',
});
if (error) throw error;
if (status !== 0) process.stderr.write(`${stdout}\n${stderr}\n`);
process.exit(status ?? 1);
