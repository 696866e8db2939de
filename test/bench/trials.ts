import type { Trial } from './trial.ts';
import { campaign } from './trials/campaign.ts';
import { coldStart } from './trials/cold-start.ts';
import { fanOutMany, fanOutWide } from './trials/fan-out.ts';
import { idleSockets } from './trials/idle-sockets.ts';
import { importing } from './trials/import.ts';
import { inbound } from './trials/inbound.ts';
import { jobs } from './trials/jobs.ts';
import { memory } from './trials/memory.ts';
import { middleware } from './trials/middleware.ts';
import { seed } from './trials/seed.ts';
import { statements } from './trials/statements.ts';
import { webhooks } from './trials/webhooks.ts';

/** In this order: those that leave much behind come last. */
export const trials: readonly Trial[] = [
  middleware,
  statements,
  fanOutWide,
  fanOutMany,
  idleSockets,
  inbound,
  webhooks,
  jobs,
  memory,
  campaign,
  importing,
  seed,
  coldStart,
];
