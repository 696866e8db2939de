import type { WebSocket } from 'ws';
import { cpuOf } from '../cpu.ts';
import { createKeys, inHouse } from '../house.ts';
import { startWeighed } from '../held.ts';
import { paced, Rest } from '../rest.ts';
import { readSamples } from '../samples.ts';
import { closeSockets, openSockets, socketsPerKey } from '../sockets.ts';
import { delaysOf, percentile, preciseNow, untilCame } from '../times.ts';
import type { Finding, Trial, TrialPlace } from '../trial.ts';

interface Shape {
  name: string;
  threads: number;
  subscribers: number;
  /** Notes written a second, over all threads. */
  perSecond: number;
  /** Seconds. */
  lasting: number;
}

const document = `subscription ($conversation: ID!) {
  timeline(conversation: $conversation) { id sequence type object }
}`;

/** One delivery in so many is read; of the others it counts that they came. */
const sampled = 20;
/** So often the writing is measured with and without listeners, one after the other. */
const turns = 3;

/** Notes reach those who follow the thread: what a delivery costs the server, and how long it is on its way. */
function fanOut(shape: Shape): Trial {
  return { name: shape.name, run: (place) => measure(place, place.small ? small(shape) : shape) };
}

function small(shape: Shape): Shape {
  return {
    ...shape,
    threads: Math.min(shape.threads, 4),
    subscribers: Math.min(shape.subscribers, 20),
    lasting: 0.5,
  };
}

async function measure(place: TrialPlace, shape: Shape): Promise<Finding[]> {
  const { threads, subscribers, perSecond, lasting } = shape;
  const sockets = threads * subscribers;
  const keys = await inHouse({ databaseUrl: place.url, dataDir: place.folder }, (app) =>
    createKeys(app, place.company, Math.ceil(sockets / socketsPerKey)),
  );
  const { conversations } = await readSamples(place);
  const followed = conversations.slice(0, threads);
  const unheard = conversations.slice(threads, 2 * threads);
  const { url, pid, memory } = await startWeighed(place);
  const rest = new Rest(url, place.key);
  const writes = Math.round(perSecond * lasting);
  const writeInto = (threadsOf: readonly string[]) => (n: number) =>
    rest.ask('POST', `/conversations/${threadsOf[n % threads]}/notes`, { body: `Note ${n}` });
  const write = writeInto(followed);
  const tell = async () => {
    for (let n = 0; n < threads; n++) await write(n);
  };
  // The first tenth of the sockets brings what does not grow with them.
  const listener = new Listener();
  const first = Math.ceil(sockets / 10);
  const opened: WebSocket[] = [];
  const weighed: Awaited<ReturnType<typeof memory>>[] = [];
  for (const count of [first, sockets - first]) {
    for (const socket of await openSockets(url, keys, count, opened.length)) {
      listener.listenTo(socket);
      subscribe(socket, followed[Math.floor(opened.length / subscribers)] ?? '');
      opened.push(socket);
    }
    await listener.everybodyHears(tell);
    weighed.push(await memory());
  }
  // Code is compiled before anything counts.
  await paced(writes, perSecond, write);
  await listener.quiet();
  listener.forget();
  const expected = writes * subscribers;
  // A delivery costs what writing costs more where somebody listens: with the same sockets open, and in turns, for the
  // machine is never the same for long.
  let heard = 0;
  let alone = 0;
  for (let turn = 1; turn <= turns; turn++) {
    heard += await cpuDuring(pid, async () => {
      await paced(writes, perSecond, write);
      await listener.until(turn * expected);
    });
    alone += await cpuDuring(pid, () => paced(writes, perSecond, writeInto(unheard)));
  }
  listener.ends();
  await closeSockets(opened);
  await rest.close();
  const [before, after] = weighed;
  if (!before || !after) throw new Error('The server was not weighed.');
  const grown = Math.round((after.resident - before.resident) / (sockets - first) / 1_024);
  const each = (heard - alone) / (turns * expected);
  const delays = await delaysOf(place.url, place.company, listener.arrivals);
  const { name } = shape;
  const rate = Math.round(perSecond * subscribers).toLocaleString('en');
  // What ten deliveries cost is lost in what the write costs that they are of.
  const cost: Finding[] =
    subscribers < 100
      ? []
      : [
          { name: `${name}, server CPU of a delivery`, value: each, unit: 'µs', goal: { most: 12 } },
          {
            name: `${name}, deliveries a core has time for`,
            value: 1_000_000 / each,
            unit: '/s',
            goal: { least: 50_000 },
          },
        ];
  return [
    ...cost,
    {
      name: `${name}, memory of a subscribed socket`,
      value: (after.held - before.held) / (sockets - first) / 1_024,
      unit: 'kB',
      goal: { most: 25 },
      how: `what it holds after a collection; of the machine, garbage included, the server took ${grown} kB more for each`,
    },
    {
      name: `${name}, commit to socket, p50`,
      value: percentile(delays, 0.5),
      unit: 'ms',
      goal: { most: 15 },
      how: `at ${rate} deliveries/s`,
    },
    {
      name: `${name}, commit to socket, p99`,
      value: percentile(delays, 0.99),
      unit: 'ms',
      goal: { most: 50 },
      how: `at ${rate} deliveries/s`,
    },
  ];
}

async function cpuDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const before = cpuOf(pid);
  await work();
  return cpuOf(pid) - before;
}

function subscribe(socket: WebSocket, conversation: string): void {
  const payload = { query: document, variables: { conversation } };
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
}

/** Counts what comes to sockets. */
class Listener {
  readonly arrivals: { event: string; at: number }[] = [];
  readonly #heard: number[] = [];
  #count = 0;
  #failure: string | null = null;
  #ending = false;

  listenTo(socket: WebSocket): void {
    const place = this.#heard.push(0) - 1;
    socket.on('message', (data: Buffer) => this.#hear(place, data));
    socket.once('close', (code: number) => {
      if (!this.#ending) this.#failure ??= `A socket was closed with ${code}.`;
    });
  }

  /** From now on sockets may close. */
  ends(): void {
    this.#ending = true;
  }

  #hear(place: number, data: Buffer): void {
    const at = preciseNow();
    this.#heard[place] = (this.#heard[place] ?? 0) + 1;
    if (this.#count++ % sampled !== 0) return;
    const { type, payload } = JSON.parse(data.toString());
    if (type === 'ping') return;
    const event: unknown = payload?.data?.timeline?.id;
    if (typeof event === 'string') this.arrivals.push({ event, at });
    else this.#failure ??= `It was told ${data.toString().slice(0, 300)}`;
  }

  /** Subscribing has no answer: something is told until everybody has heard of it. */
  async everybodyHears(tell: () => Promise<void>): Promise<void> {
    for (let tries = 0; this.#heard.includes(0); tries++) {
      if (this.#failure !== null) throw new Error(this.#failure);
      if (tries === 30) throw new Error(`${this.#heard.filter((n) => n === 0).length} sockets hear nothing.`);
      await tell();
      await pause(500);
    }
    await this.quiet();
  }

  /** Until what was told last has come. */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.#count;) {
      before = this.#count;
      await pause(500);
    }
  }

  forget(): void {
    this.arrivals.length = 0;
    this.#count = 0;
  }

  until(count: number): Promise<void> {
    const came = () => {
      if (this.#failure !== null) throw new Error(this.#failure);
      return this.#count;
    };
    return untilCame(came, count, 'deliveries');
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export const fanOutWide = fanOut({
  name: 'fan-out, 1 thread × 1,000',
  threads: 1,
  subscribers: 1_000,
  perSecond: 20,
  lasting: 5,
});
export const fanOutMany = fanOut({
  name: 'fan-out, 1,000 threads × 10',
  threads: 1_000,
  subscribers: 10,
  perSecond: 100,
  lasting: 5,
});
