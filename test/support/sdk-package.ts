import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const compiler = path.resolve('node_modules/typescript/bin/tsc');

/** Type-checks, and writes JavaScript where the project says so. Throws what is wrong. */
export function compile(folder: string, args: string[]): void {
  try {
    execFileSync(process.execPath, [compiler, ...args], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout), { cause: error });
  }
}

/** A `node_modules` with the client as `npm pack` packs it, and some of our own packages. */
export function installSdk(folder: string, others: readonly string[]): void {
  const modules = path.join(folder, 'node_modules');
  const client = path.join(modules, '@parlour', 'client');
  mkdirSync(client, { recursive: true });
  copyFileSync('schema/sdk/package.json', path.join(client, 'package.json'));
  compile('schema/sdk', ['-p', '.', '--outDir', path.join(client, 'dist')]);
  for (const name of others) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
  }
}
