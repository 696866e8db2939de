// `npm test`: prepares a bare clone, runs vitest, and ends with the line `N passed, N failed`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepare, projectDir, projectNode } from '../../server/prepare.mjs';
import { record, rowsOf, table } from './fault-table.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlour-results-'));
const resultFile = path.join(folder, 'results.json');
const reachedFile = path.join(folder, 'reached.jsonl');

function runTests() {
  const given = process.argv.slice(2);
  const reporters = given.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default'];
  const args = ['run', ...reporters, '--reporter=json', `--outputFile.json=${resultFile}`];
  const vitest = path.join(projectDir, 'node_modules/vitest/vitest.mjs');
  const child = spawn(projectNode, [vitest, ...args, ...given], {
    cwd: projectDir,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      REACHED_FILE: reachedFile,
      PATH: `${path.dirname(projectNode)}${path.delimiter}${process.env.PATH}`,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/* A file that can't be loaded has no tests, and a run without tests proves nothing: both are failures. */
function count(exitCode) {
  if (!fs.existsSync(resultFile)) return { passed: 0, failed: 1 };
  const results = JSON.parse(fs.readFileSync(resultFile, 'utf8'));
  const passed = results.numPassedTests;
  const broken = results.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const failed = results.numFailedTests + broken;
  const otherwise = exitCode !== 0 || passed + failed === 0 ? 1 : 0;
  return { passed, failed: failed || otherwise };
}

/* What was measured, and with RECORD=1 kept. */
function tellFigures() {
  if (!fs.existsSync(resultFile)) return;
  const rows = rowsOf(JSON.parse(fs.readFileSync(resultFile, 'utf8')), reachedFile);
  if (process.env.FAULTS) process.stdout.write(`${table(rows)}\n`);
  if (process.env.RECORD) record(rows, process.env.FAULTS === 'full' ? 'full' : 'small', projectDir);
}

let totals = { passed: 0, failed: 1 };
try {
  await prepare({ dev: true, dashboard: true });
  totals = count(await runTests());
  tellFigures();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed === 0 ? 0 : 1;
