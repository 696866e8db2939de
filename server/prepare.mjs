// Runs before anything is installed: plain JavaScript for Node 20.19 and later, without dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const at = (...parts) => path.join(projectDir, ...parts);
const tell = (text) => process.stderr.write(`${text}\n`);
const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** The Node that the project brings: the npm package `node`. */
export const projectNode = at('node_modules', '.bin', 'node');

/**
 * Its flags for the server, and variables for the C library under it; commands are soon over. What is new may take 32 MB before
 * it is looked through, the rest two fifths more than was in use; memory that was given back goes back to the machine. Left to
 * itself, Node takes twice as much under load and keeps it, which saves a few hundredths of the time.
 */
export const { nodeFlags, nodeVariables } = readJson(at('package.json')).config;

function sha256(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
}

function readIfPresent(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined;
}

function filesBelow(folder, ignored = new Set()) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name) && !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file, ignored) : [file];
    })
    .sort();
}

function contentHash(files) {
  return sha256(...files.flatMap((file) => [path.relative(projectDir, file), fs.readFileSync(file)]));
}

/** Runs a program with its output on standard error; tells every five seconds how far it is. */
async function run(title, command, args, { cwd = projectDir, env = process.env, progress = () => '' } = {}) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  tell(`${title} …`);
  const ticker = setInterval(() => tell(`${title}: ${progress()}${seconds()} …`), 5_000);
  try {
    const [code, signal] = await new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2], env });
      child.on('error', reject);
      child.on('exit', (...result) => resolve(result));
    });
    if (code !== 0) throw new Error(`${title} failed (${signal ?? `exit code ${code}`}).`);
  } finally {
    clearInterval(ticker);
  }
  tell(`${title}: done in ${seconds()}.`);
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** One process at a time prepares the folder; others wait, and then find the work done. */
async function alone(work) {
  const lock = at('.prepare.lock');
  for (let told = false; ;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(readIfPresent(lock) ?? 0);
    const age = Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (holder > 0 ? !isRunning(holder) : age > 10_000) fs.rmSync(lock, { force: true });
    else if (!told) tell(`Waiting for process ${holder}, which prepares this folder …`);
    told = true;
    await new Promise((done) => setTimeout(done, 200));
  }
  const release = () => fs.rmSync(lock, { force: true });
  const onSignal = () => {
    release();
    process.exit(130);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work();
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    release();
  }
}

/* By content and not by time: a checkout touches the lock file without changing it. */
function isInstalled({ dev }) {
  const listed = at('node_modules', '.package-lock.json');
  if (!fs.existsSync(listed)) return false;
  const stamp = sha256(fs.readFileSync(at('package-lock.json')), String(dev));
  const stampFile = at('node_modules', '.parlour-lock');
  if (readIfPresent(stampFile) === stamp) return true;
  const wanted = readJson(at('package-lock.json')).packages;
  const present = readJson(listed).packages;
  const same = (name) => present[name]?.version === wanted[name].version;
  const mayMiss = (entry) => entry.optional || entry.devOptional || entry.peer || (entry.dev && !dev);
  const complete = Object.keys(wanted).every(
    (name) => name === '' || same(name) || (!present[name] && mayMiss(wanted[name])),
  );
  if (!complete) return false;
  try {
    fs.writeFileSync(stampFile, stamp);
  } catch {
    // A read-only installation is compared anew each time.
  }
  return true;
}

function npm() {
  const script = process.env.npm_execpath;
  return script && /npm-cli\.c?js$/.test(script) ? [process.execPath, [script]] : ['npm', []];
}

async function install({ dev }) {
  const fits = (list, own) =>
    !list || list.includes(own) || (list[0].startsWith('!') && !list.includes(`!${own}`));
  const names = Object.entries(readJson(at('package-lock.json')).packages)
    .filter(([name, { os, cpu }]) => name && fits(os, process.platform) && fits(cpu, process.arch))
    .map(([name]) => name);
  const progress = () => {
    const count = names.filter((name) => fs.existsSync(at(name, 'package.json'))).length;
    return `${count} of about ${names.length} packages, `;
  };
  const [command, args] = npm();
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(dev ? ['--include=dev'] : [])];
  await run('Installing dependencies', command, [...args, ...options], { progress });
}

/* `npm ci --ignore-scripts` leaves the package `node` without its program; its own script fetches it. */
function hasProjectNode() {
  return (fs.statSync(projectNode, { throwIfNoEntry: false })?.size ?? 0) > 1024 * 1024;
}

async function fetchNode() {
  const cwd = at('node_modules', 'node');
  await run('Fetching Node', process.execPath, ['installArchSpecificPackage.js'], { cwd });
  const link = at('node_modules', '.bin', 'node');
  if (!fs.existsSync(link)) fs.symlinkSync('../node/bin/node', link);
  if (!hasProjectNode()) throw new Error('The npm package "node" brought no program for this machine.');
}

async function stamped(stampFile, stamp, work) {
  if (readIfPresent(stampFile) === stamp) return;
  await alone(async () => {
    if (readIfPresent(stampFile) === stamp) return;
    await work();
    fs.mkdirSync(path.dirname(stampFile), { recursive: true });
    fs.writeFileSync(stampFile, stamp);
  });
}

async function generateClient() {
  const script = at('prisma', 'generate.mjs');
  if (!fs.existsSync(script)) return;
  const stamp = contentHash([
    ...filesBelow(at('prisma', 'schema')),
    script,
    at('node_modules/prisma/package.json'),
  ]);
  await stamped(at('prisma', 'generated', '.source'), stamp, () =>
    run('Generating the database client', process.execPath, [script]),
  );
}

async function buildDashboard() {
  const folder = at('web-client');
  if (!['ts', 'mts', 'js', 'mjs'].some((end) => fs.existsSync(path.join(folder, `vite.config.${end}`))))
    return;
  const sources = [...filesBelow(folder, new Set(['dist', 'node_modules'])), ...filesBelow(at('schema'))];
  const stamp = contentHash([...sources, at('package-lock.json'), at('server/prepare.mjs')]);
  // Else it lists hundreds of files to whoever starts it for the first time.
  const quiet = ['--logLevel', 'warn'];
  const build = (title, ...args) =>
    run(
      title,
      projectNode,
      [at('node_modules/vite/bin/vite.js'), 'build', '--emptyOutDir', ...quiet, ...args],
      {
        cwd: folder,
        // One and the same build, whoever asks: a test runner's own NODE_ENV would bring React's slow variant.
        env: { ...process.env, NODE_ENV: 'production' },
      },
    );
  await stamped(path.join(folder, 'dist', '.source'), stamp, async () => {
    // The second one puts its file into the folder that the first one has emptied.
    await build('Building the dashboard');
    await build('Building the web chat', '--config', 'vite.webchat.config.ts');
  });
}

/**
 * Makes the folder ready to run: dependencies, the project's Node, the database client and, when asked
 * for, the dashboard. Does only what is missing or out of date; writes to standard error alone.
 */
export async function prepare({ dev = false, dashboard = false } = {}) {
  if (!isInstalled({ dev })) {
    await alone(async () => {
      if (!isInstalled({ dev })) await install({ dev });
    });
    isInstalled({ dev });
  }
  if (!hasProjectNode()) {
    await alone(async () => {
      if (!hasProjectNode()) await fetchNode();
    });
  }
  await generateClient();
  if (dashboard) await buildDashboard();
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await prepare({ dev: process.argv.includes('--dev'), dashboard: process.argv.includes('--dashboard') });
}
