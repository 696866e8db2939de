#!/usr/bin/env node
// `npm start` and `npx parlour …`: prepares the folder, then runs the program on the project's own Node.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { nodeFlags, nodeVariables, prepare, projectDir, projectNode } from './prepare.mjs';

function fail(message) {
  process.stderr.write(`${message}\n`);
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { message } })}\n`);
  process.exit(1);
}

const args = process.argv.slice(2);
const serving = args.includes('serve');
try {
  await prepare({ dashboard: serving });
} catch (error) {
  fail(error.message);
}

// The channel tells the server that we are gone, should somebody kill us with -9.
const flags = serving ? nodeFlags : [];
const child = spawn(projectNode, [...flags, path.join(projectDir, 'server', 'main.ts'), ...args], {
  stdio: ['inherit', 'inherit', 'inherit', ...(serving ? ['ipc'] : [])],
  env: serving ? { ...nodeVariables, ...process.env } : process.env,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm that is killed with -9 can't pass anything on; without it nobody could stop us.
if (serving && process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 1_000).unref();
}
child.on('error', (error) => fail(`Can't run ${projectNode}: ${error.message}`));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (os.constants.signals[signal] ?? 0);
  if (child.connected) child.disconnect();
});
