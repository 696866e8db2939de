import { EventPage } from '../../schema/realtime.ts';
import { procedure, router } from '../platform/trpc.ts';
import { listEvents } from './events.ts';
import { presentEvents } from './present.ts';

const tag = 'Realtime';

export const realtimeRouter = router({
  events: procedure(listEvents, {
    output: EventPage,
    present: presentEvents,
    rest: {
      method: 'GET',
      path: '/events',
      tag,
      summary: 'List events after a sequence',
      description: [
        'Oldest first. For clients that come back after a break: pass the highest `sequence` seen.',
        'Events are kept 30 days; an older `after` is 422 and means that the records are to be loaded anew.',
        'Only families that the key may read are returned.',
      ].join('\n'),
    },
  }),
});
