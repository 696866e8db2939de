import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useOwnServer } from '../support/own-server.ts';
import { reached } from '../support/reached.ts';
import { scaled } from '../support/scale.ts';
import { percentile, timed } from '../support/timing.ts';

const slow = scaled(100, 500);
const calls = scaled(100, 500);

const own = useOwnServer();

async function measured(): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < calls; n++)
    times.push((await timed(() => own().api.get('/contacts', { limit: 5 }))).ms);
  return percentile(times, 0.95);
}

it(`${slow} sockets that send a byte a second are let go within a minute and hold up nobody [F9]`, async () => {
  const { server, api } = own();
  await measured();
  const idle = await measured();
  const head = `POST /api/v1/contacts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.key}\r\n`;
  const whole = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  const opened = performance.now();
  const lives: number[] = [];
  const sockets: Socket[] = Array.from({ length: slow }, (_, n) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', () => lives.push(performance.now() - opened));
    socket.resume();
    // Half of them are slow with their headers, half with their body.
    socket.write(n % 2 === 0 ? head.slice(0, 20) : whole);
    return socket;
  });
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, 1_000);
  await wait(1_000);
  const loaded = await measured();
  await expect.poll(() => lives.length, { timeout: 90_000, interval: 500 }).toBe(slow);
  clearInterval(dripping);
  const longest = Math.round(Math.max(...lives) / 1000);
  expect(longest).toBeLessThanOrEqual(60);
  expect((await api.get('/contacts')).status).toBe(200);
  expect(loaded).toBeLessThan(Math.max(2 * idle, 20));
  reached(
    'F9',
    `${slow} sockets: others ${loaded.toFixed(1)} ms against ${idle.toFixed(1)} ms at the 95th percentile, all let go within ${longest} s`,
  );
});
