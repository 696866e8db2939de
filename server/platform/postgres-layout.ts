import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { OperatorError } from './operator-error.ts';
import { postgresBinaries, serviceUser, type ServiceUser } from './postgres-binaries.ts';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** Where the embedded database keeps its things; everything lies below `DATA_DIR/postgres`. */
export type PostgresLayout = {
  folder: string;
  /** Owned by the user that PostgreSQL runs as; holds `cluster`. */
  files: string;
  cluster: string;
  logFile: string;
  portFile: string;
  startLock: string;
  usersLock: string;
  binaries: string;
  user: ServiceUser | undefined;
  credentials: Credentials;
  /** Gives a file that root made in an ordinary user's data folder to that user. */
  giveToOwner(file: string): void;
};

type Credentials = { superuser: string; application: string };

/** Makes `DATA_DIR` (mode 0700) when it is absent, and takes rights away from others when they have any. */
export function ensurePrivateFolder(folder: string): fs.Stats {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = fs.statSync(folder);
  const user = process.geteuid?.();
  if (user !== 0 && user !== undefined && user !== stat.uid) {
    throw new OperatorError(
      `${folder} belongs to another user; start Parlour as that one, or choose another DATA_DIR.`,
    );
  }
  if ((stat.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
  return stat;
}

/** Writes a file with mode 0600 unless it exists; of several writers one wins. Returns its content. */
export function createPrivateFile(file: string, content: () => string): string {
  if (!fs.existsSync(file)) {
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    fs.writeFileSync(draft, content(), { mode: 0o600, flag: 'wx' });
    try {
      fs.linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(draft);
    }
  }
  return fs.readFileSync(file, 'utf8');
}

function rotateLog(file: string): void {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat && stat.size > LOG_LIMIT_BYTES) fs.renameSync(file, `${file}.1`);
}

/** Makes the folders and passwords of an embedded database below `dataDir`; safe to repeat. */
export function preparePostgresLayout(dataDir: string): PostgresLayout {
  const dataStat = ensurePrivateFolder(dataDir);
  const folder = path.join(dataDir, 'postgres');
  const files = path.join(folder, 'files');
  const giveToOwner = (file: string): void => {
    if (process.geteuid?.() === 0 && dataStat.uid !== 0) fs.chownSync(file, dataStat.uid, dataStat.gid);
  };
  ensurePrivateFolder(folder);
  giveToOwner(folder);
  const user = serviceUser(fs.statSync(files, { throwIfNoEntry: false }), dataStat);
  ensurePrivateFolder(files);
  if (user) fs.chownSync(files, user.uid, user.gid);

  const credentialsFile = path.join(folder, 'credentials.json');
  const newPassword = (): string => randomBytes(24).toString('base64url');
  const credentials = JSON.parse(
    createPrivateFile(credentialsFile, () =>
      JSON.stringify({ superuser: newPassword(), application: newPassword() }),
    ),
  ) as Credentials;
  giveToOwner(credentialsFile);

  const logFile = path.join(folder, 'server.log');
  rotateLog(logFile);
  return {
    folder,
    files,
    cluster: path.join(files, 'cluster'),
    logFile,
    portFile: path.join(folder, 'port'),
    startLock: path.join(folder, 'start.lock'),
    usersLock: path.join(folder, 'users.lock'),
    binaries: postgresBinaries(user),
    user,
    credentials,
    giveToOwner,
  };
}
