import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A line to a database, or another server, that can be made worse. */
export interface Line {
  /** The address of the server, led over the line. */
  url: string;
  /** How many connections there are right now. */
  readonly connections: number;
  /** Milliseconds that each piece takes, in both directions. */
  delay: number;
  /** Share of pieces with which their connection is cut. */
  dropped: number;
  /** While true nothing passes, and nobody is told: connections are half open. */
  silent: boolean;
  /** Connections that were opened over it so far. */
  opened: number;
  close(): Promise<void>;
}

/** Leads a server's address over a proxy of our own on the loopback interface. */
export async function openLine(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    line.opened++;
    const far = net.connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === near ? far : near).destroy();
      });
    }
    carry(near, far);
    carry(far, near);
  });

  function carry(from: net.Socket, to: net.Socket): void {
    let before = Promise.resolve();
    from.on('data', (piece: Buffer) => {
      before = pass(before, piece, performance.now() + line.delay, to);
    });
  }

  /** One piece after another, each as late as the line is slow. */
  async function pass(before: Promise<void>, piece: Buffer, due: number, to: net.Socket): Promise<void> {
    await before;
    if (line.delay > 0) await wait(Math.max(0, due - performance.now()));
    while (line.silent && !to.destroyed) await wait(20);
    if (Math.random() < line.dropped) to.destroy();
    else to.write(piece);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  const line: Line = {
    url: url.href,
    get connections() {
      return sockets.size / 2;
    },
    delay: 0,
    dropped: 0,
    silent: false,
    opened: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return line;
}
