import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail server that keeps what it is given. */
export interface Mailbox {
  url: string;
  /** Whole messages, oldest first. */
  mails: string[];
}

export async function startMailbox(): Promise<Mailbox & { close(): void }> {
  const mails: string[] = [];
  const server = createServer((socket) => serve(socket, mails));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}

function serve(socket: Socket, mails: string[]): void {
  let data: string | null = null;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 mailbox');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    rest += chunk.toString();
    for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (data !== null) {
        if (line === '.') {
          mails.push(decode(data));
          data = null;
          say('250 kept');
        } else data += `${line}\n`;
      } else if (/^data/i.test(line)) {
        data = '';
        say('354 go on');
      } else if (/^quit/i.test(line)) {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    }
  });
}

/** Quoted-printable, as the sender may choose. */
function decode(text: string): string {
  if (!/^content-transfer-encoding: quoted-printable$/im.test(text)) return text;
  return text
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
