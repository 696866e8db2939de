import { createKeys, inHouse } from '../house.ts';
import { residentOf } from '../resident.ts';
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
    const { url, pid } = await place.parlour();
    const before = residentOf(pid);
    const sockets = await openSockets(url, keys, count);
    const resident = residentOf(pid);
    await closeSockets(sockets);
    const how = `${count.toLocaleString('en')} sockets of ${wanted.toLocaleString('en')}`;
    return [
      {
        name: 'idle sockets, memory of the server',
        value: resident / 2 ** 20,
        unit: 'MB',
        goal: { most: 300 },
        how,
      },
      {
        name: 'idle sockets, memory of a socket',
        value: (resident - before) / count / 1_024,
        unit: 'kB',
        how,
      },
    ];
  },
};
