import { createKeys, inHouse } from '../house.ts';
import { startWeighed } from '../held.ts';
import { allowedSockets, closeSockets, openSockets, socketsPerKey } from '../sockets.ts';
import type { Trial } from '../trial.ts';

/** Sockets that are open and say nothing. */
export const idleSockets: Trial = {
  name: 'idle sockets',
  async run(place) {
    const wanted = place.small ? 40 : 10_000;
    const count = allowedSockets(wanted);
    const keys = await inHouse({ databaseUrl: place.url, dataDir: place.folder }, (app) =>
      createKeys(app, place.company, Math.ceil(count / socketsPerKey)),
    );
    const { url, memory } = await startWeighed(place);
    // The first ones bring what does not grow with them.
    const warm = place.small ? 4 : 100;
    const sockets = await openSockets(url, keys, warm);
    const before = await memory();
    sockets.push(...(await openSockets(url, keys, count - warm, warm)));
    const after = await memory();
    await closeSockets(sockets);
    const how = `${count.toLocaleString('en')} sockets of ${wanted.toLocaleString('en')}`;
    return [
      {
        name: 'idle sockets, memory of the server',
        value: after.resident / 2 ** 20,
        unit: 'MB',
        goal: { most: 300 },
        how: `${how}; ${(before.resident / 2 ** 20).toFixed(0)} MB before them`,
      },
      {
        name: 'idle sockets, memory of a socket',
        value: (after.held - before.held) / (count - warm) / 1_024,
        unit: 'kB',
        how: `${how}, what they hold after a collection`,
      },
    ];
  },
};
