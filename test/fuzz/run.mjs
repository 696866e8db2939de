// `npm run fuzz`: makes up calls from the documents and bytes for the parsers, and says what went wrong.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '5000' },
    bytes: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
  },
});
const env = { FUZZ_CALLS: values.calls, FUZZ_BYTES: values.bytes, FUZZ_SEED: values.seed };
const tests = values.only === undefined ? 'test/fuzz' : 'test/fuzz/fuzz.test.ts';
const run = fileURLToPath(new URL('../support/run.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [run, tests, '--no-file-parallelism'], {
  stdio: 'inherit',
  env: { ...process.env, ...env, ...(values.only === undefined ? {} : { FUZZ_ONLY: values.only }) },
});
process.exitCode = status ?? 1;
