import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export const imapUser = 'shop@example.com';
export const imapPassword = 'imap-password-of-the-tests';

interface Stored {
  uid: number;
  raw: Buffer;
  flags: Set<string>;
  at: Date;
}

/** As much of an IMAP server (RFC 3501, with IDLE) as reading one folder takes, on the loopback interface. */
export class ImapStandIn {
  readonly mails: Stored[] = [];
  uidValidity = 1;
  /** Mails whose content the server can't give. */
  readonly broken = new Set<number>();
  /** Bodies that were asked for, by number of the mail. */
  readonly fetched: number[] = [];
  password = imapPassword;
  readonly #sockets = new Set<Socket>();
  readonly #idle = new Map<Socket, string>();
  readonly #told = new Map<Socket, number>();
  readonly #server: Server;
  #nextUid = 1;

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<ImapStandIn> {
    const standIn = new ImapStandIn();
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Puts a mail into the folder, and tells those who wait for one. */
  deliver(raw: string | Buffer, at = new Date()): Stored {
    const mail = { uid: this.#nextUid++, raw: Buffer.from(raw), flags: new Set<string>(), at };
    this.mails.push(mail);
    for (const socket of this.#idle.keys()) this.#tell(socket);
    return mail;
  }

  /** How many mails there are, to whoever has heard of another number. */
  #tell(socket: Socket): void {
    if (this.#told.get(socket) === this.mails.length) return;
    this.#told.set(socket, this.mails.length);
    socket.write(`* ${this.mails.length} EXISTS\r\n`);
  }

  /** Cuts everybody off. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#idle.delete(socket);
      this.#told.delete(socket);
    });
    let pending = '';
    socket.write('* OK ready\r\n');
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        this.#answer(socket, line);
      }
    });
  }

  #answer(socket: Socket, line: string): void {
    const waiting = this.#idle.get(socket);
    if (waiting !== undefined) {
      this.#idle.delete(socket);
      socket.write(`${waiting} OK done\r\n`);
      return;
    }
    const [, tag = '', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? [];
    const ok = (text = 'done') => {
      if (this.#told.has(socket)) this.#tell(socket);
      socket.write(`${tag} OK ${text}\r\n`);
    };
    switch (command.toUpperCase()) {
      case 'CAPABILITY':
        socket.write('* CAPABILITY IMAP4rev1 IDLE\r\n');
        return ok();
      case 'LOGIN': {
        const [user, password] = rest.split(' ').map((word) => word.replaceAll('"', ''));
        if (user === imapUser && password === this.password) return ok();
        socket.write(`${tag} NO [AUTHENTICATIONFAILED] Wrong password\r\n`);
        return;
      }
      case 'LIST':
      case 'LSUB':
        if (rest === '"" ""') socket.write('* LIST (\\Noselect) "/" ""\r\n');
        else if (/"(?:INBOX|[*%])"$/i.test(rest)) socket.write(`* ${command} () "/" "INBOX"\r\n`);
        return ok();
      case 'SELECT':
      case 'EXAMINE':
        if (!/^"?INBOX"?$/i.test(rest)) return void socket.write(`${tag} NO no such folder\r\n`);
        this.#told.set(socket, this.mails.length);
        socket.write(
          `* FLAGS (\\Seen)\r\n* ${this.mails.length} EXISTS\r\n* 0 RECENT\r\n` +
            `* OK [UIDVALIDITY ${this.uidValidity}] ids\r\n* OK [UIDNEXT ${this.#nextUid}] next\r\n`,
        );
        return ok('[READ-WRITE] done');
      case 'UID SEARCH':
        socket.write(`* SEARCH ${this.#search(rest).join(' ')}\r\n`);
        return ok();
      case 'UID FETCH':
        if (this.broken.has(Number.parseInt(rest, 10)) && /BODY/.test(rest))
          return void socket.write(`${tag} NO broken\r\n`);
        this.#fetch(socket, rest);
        return ok();
      case 'UID STORE':
        this.mails.find(({ uid }) => uid === Number.parseInt(rest, 10))?.flags.add('\\Seen');
        return ok();
      case 'IDLE':
        this.#idle.set(socket, tag);
        socket.write('+ idling\r\n');
        this.#tell(socket);
        return;
      case 'LOGOUT':
        socket.write('* BYE\r\n');
        ok();
        return void socket.end();
      default:
        return ok();
    }
  }

  #search(query: string): number[] {
    const range = /UID (\d+):\*/.exec(query);
    const last = this.mails.at(-1)?.uid ?? 0;
    const since = /SINCE "?(\S+?)"?(?:\s|$)/.exec(query)?.[1];
    return this.mails
      .filter(({ uid, at }) => {
        if (range) return uid >= Number(range[1]) || uid === last;
        return since === undefined || at.getTime() >= Date.parse(`${since} UTC`);
      })
      .map(({ uid }) => uid);
  }

  #fetch(socket: Socket, rest: string): void {
    const index = this.mails.findIndex(({ uid }) => uid === Number.parseInt(rest, 10));
    const mail = this.mails[index];
    if (!mail) return;
    const parts: (string | Buffer)[] = [`UID ${mail.uid}`];
    if (rest.includes('RFC822.SIZE')) parts.push(`RFC822.SIZE ${mail.raw.length}`);
    if (rest.includes('INTERNALDATE')) parts.push(`INTERNALDATE "${internalDate(mail.at)}"`);
    const asked = /BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?/.exec(rest);
    if (asked) {
      const [, section = '', start, length] = asked;
      this.fetched.push(mail.uid);
      const all = section === '' ? mail.raw : headOf(mail.raw);
      const from = Number(start ?? 0);
      const bytes = length === undefined ? all : all.subarray(from, from + Number(length));
      const origin = start === undefined ? '' : `<${start}>`;
      parts.push(Buffer.concat([Buffer.from(`BODY[${section}]${origin} {${bytes.length}}\r\n`), bytes]));
    }
    socket.write(`* ${index + 1} FETCH (`);
    parts.forEach((part, at) => {
      if (at > 0) socket.write(' ');
      socket.write(part);
    });
    socket.write(')\r\n');
  }
}

function headOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return raw.subarray(0, end < 0 ? raw.length : end + 4);
}

function internalDate(at: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(at.toUTCString()) ?? [];
  return `${day}-${month}-${year} ${time} +0000`;
}
