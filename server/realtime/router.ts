import { BroadcastingAuthAnswer, EventPage, RealtimeSettingsBody } from '../../schema/realtime.ts';
import { procedure, router } from '../platform/trpc.ts';
import { authorizeChannel, showRealtimeSettings } from './broadcasting.ts';
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
  settings: procedure(showRealtimeSettings, {
    output: RealtimeSettingsBody,
    present: (settings) => ({ data: settings }),
    rest: {
      method: 'GET',
      path: '/broadcasting',
      tag,
      summary: 'What a Pusher client needs to connect',
      description: 'The app key is the same for everybody and stays the same.',
    },
  }),
  authorize: procedure(authorizeChannel, {
    output: BroadcastingAuthAnswer,
    present: (answer) => answer,
    rest: {
      method: 'POST',
      path: '/broadcasting/auth',
      tag,
      summary: 'Authorise a socket for a channel',
      description: [
        'JSON or form-encoded, as the Pusher clients send it; the answer is not wrapped.',
        'Denied, unknown and foreign channels are 403 alike. A test key is given `…-test.{id}` channels only,',
        'which carry nothing.',
      ].join('\n'),
      body: 'json-or-form',
    },
  }),
});
