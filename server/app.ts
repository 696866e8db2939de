import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { passkeySteps } from './account/passkey-steps.ts';
import { lazyIdentity, signInState, signInSteps } from './account/sign-in.ts';
import { appRouter } from './app-router.ts';
import { csvResources } from './csv-resources.ts';
import type { App } from './http/app.ts';
import { receiveWebhook } from './channels/webhook.ts';
import { Backlog } from './http/backlog.ts';
import { expressApp } from './http/express-app.ts';
import { frontDoor } from './http/front-door.ts';
import { createEngine } from './http/graphql-engine.ts';
import { graphqlSockets, ownDoor } from './http/graphql-ws.ts';
import { answerMalformed } from './http/malformed.ts';
import { Metrics } from './http/metrics.ts';
import { pusherSockets } from './http/pusher-ws.ts';
import { RateLimits } from './http/rate-limit.ts';
import { RequestLog } from './http/request-log.ts';
import { visitorsDoor } from './http/webchat-ws.ts';
import { attachWebSockets, isWebSocket } from './http/ws.ts';
import type { Tracing } from './http/tracing.ts';
import { startMaintenance } from './maintenance.ts';
import { findPublicMedia } from './media/public.ts';
import { Announcer } from './platform/announcer.ts';
import { nameOperations } from './platform/audit.ts';
import { accessChannel, Keyring } from './platform/auth.ts';
import { Catcher } from './platform/catcher.ts';
import { type Clock, databaseClock, followDatabase } from './platform/clock.ts';
import { type Config, publicUrlFor } from './platform/config.ts';
import { Sessions } from './platform/sessions.ts';
import { createContext } from './platform/context.ts';
import { Cursors } from './platform/cursor.ts';
import { createDatabase } from './platform/database.ts';
import { Feed } from './platform/feed.ts';
import { Jobs } from './platform/jobs.ts';
import type { Log } from './platform/log.ts';
import { Notifications } from './platform/notifications.ts';
import type { Redis } from './platform/redis.ts';
import { Relay } from './platform/relay.ts';
import { PusherServer } from './realtime/pusher.ts';
import { invitationSteps } from './invitations/accept.ts';
import { pooled } from './platform/pool.ts';
import { untraced } from './platform/spans.ts';
import { Storage } from './platform/storage.ts';
import { procedureFacts } from './platform/trpc.ts';
import { closeCompany, closingSteps } from './privacy/close-company.ts';
import { visitorSchema } from './webchat/graphql-visitors.ts';
import { webchatServices } from './webchat/service.ts';

export interface AppDeps {
  config: Config;
  databaseUrl: string;
  log: Log;
  clock?: Clock;
}

export interface RunningApp extends App {
  /** Serves on the configured host and port; port 0 takes any free one. */
  listen(): Promise<{ url: string; port: number }>;
  /**
   * Says not ready at once, stops accepting after the grace, finishes what is in flight, closes everything.
   * @param graceMs milliseconds in which a balancer may notice; none unless given
   */
  close(options?: { graceMs: number }): Promise<void>;
}

/** Builds the house over a migrated database. `server/main.ts` and the tests start the same. */
export async function createApp({
  config,
  databaseUrl,
  log,
  clock = databaseClock,
}: AppDeps): Promise<RunningApp> {
  const app = await createServices({ config, databaseUrl, log, clock });
  const stopMaintenance = await startMaintenance(app);
  app.backlog.start();
  const webchat = { ...webchatServices(app), engine: createEngine(visitorSchema) };
  const identity = lazyIdentity(app);
  const pages = expressApp(app, appRouter, {
    findMedia: (token) => findPublicMedia(app, token),
    receiveWebhook: (channelId, call) => receiveWebhook(app, channelId, call),
    webchat,
    csvResources,
    signInState: () => signInState(app),
    signInSteps: [
      ...signInSteps(app, identity),
      ...passkeySteps(app, identity),
      ...invitationSteps(app, identity),
      ...closingSteps(app, identity),
    ],
  });
  const handler = frontDoor(app, appRouter, pages);
  const server = createServer(
    {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5_000,
      requestTimeout: 120_000,
      maxHeaderSize: 16_384,
      shouldUpgradeCallback: isWebSocket,
    },
    handler,
  );
  server.on('checkExpectation', handler);
  answerMalformed(app, server);
  const sockets = attachWebSockets(app, server, [
    graphqlSockets(app, ownDoor(app)),
    graphqlSockets(app, visitorsDoor(app, webchat)),
    pusherSockets(app, new PusherServer(app)),
  ]);
  return Object.assign(app, {
    async listen() {
      const bound = await listen(server, config.host, config.port);
      app.publicUrl = () => publicUrlFor(config, bound.port);
      return bound;
    },
    async close({ graceMs } = { graceMs: 0 }) {
      app.ready = false;
      await wait(graceMs);
      sockets.close();
      await closeServer(server);
      await stopMaintenance();
      await app.stop();
    },
  });
}

/** The services without a listening socket: what commands of the command line need. */
export async function createServices({ config, databaseUrl, log, clock = databaseClock }: AppDeps) {
  const database = createDatabase(pooled(config, databaseUrl), log);
  const tracing = config.tracing ? await startTracing(config.tracing, log) : null;
  tracing?.watch(database.pool);
  const metrics = new Metrics(database.pool);
  const redis = config.redisUrl === undefined ? null : await openRedis(config, config.redisUrl, log);
  if (redis) metrics.watchRedis(redis);
  const notifications = new Notifications(
    databaseUrl,
    log,
    redis && { relay: new Relay(redis), direct: [accessChannel] },
  );
  notifications.onLost(() => metrics.connectionLost());
  const backlog = new Backlog(database.pool, log);
  metrics.watchBacklog(backlog);
  const keys = new Keyring(database.prisma, clock, notifications);
  const inSpan = tracing?.inSpan ?? untraced;
  const jobs = new Jobs(databaseUrl, log, inSpan);
  const feed = new Feed(database.pool, notifications, log);
  const app: App = {
    config,
    log,
    clock,
    prisma: database.prisma,
    pool: database.pool,
    wall: database.wall,
    keys,
    sessions: new Sessions(
      database.prisma,
      clock,
      config.secrets.derive('sessions').toString('base64url'),
      () => app.publicUrl().startsWith('https:'),
    ),
    cursors: new Cursors(config.secrets.derive('cursor')),
    limits: new RateLimits({
      perKey: config.rateLimit.perMinute,
      perAddress: config.rateLimit.unauthenticatedPerMinute,
      signInAttempts: config.rateLimit.signInAttempts,
      shared: redis ?? (config.webConcurrency > 1 ? database.pool : null),
      onFallback: () => metrics.limiterFellBack(),
    }),
    databaseUrl,
    jobs,
    feed,
    notifications,
    announcer: new Announcer(databaseUrl, log),
    storage: await Storage.open(config.storageUrl),
    inSpan,
    keyBudget: (id) => app.limits.keyBudget(id),
    catcher: config.demo
      ? new Catcher(config.secrets.derive('webhook-catcher'), () => app.publicUrl())
      : null,
    publicUrl: () => publicUrlFor(config),
    metrics,
    backlog,
    redis,
    requestLog: new RequestLog(databaseUrl, log),
    tracing,
    ready: true,
    context: (principal, requestId) => createContext(app, principal, requestId),
  };
  nameOperations([
    ...procedureFacts(appRouter),
    // Its door is a step that asks for the password.
    { name: 'company.close', operation: closeCompany },
  ]);
  await database.pool.query('SELECT repair_event_epoch()');
  const stopClock = await followDatabase(database.pool);
  await redis?.start();
  await Promise.all([notifications.start(), jobs.start()]);
  await database.wall.raise(database.pool, log);
  const stop = async () => {
    feed.close();
    backlog.stop();
    stopClock();
    await app.requestLog.stop();
    await Promise.all([keys.flushUsage(), app.sessions.flushUsage()]);
    await jobs.stop();
    // What the last jobs have committed is told to the other processes.
    await Promise.all([notifications.close(), app.announcer.stop()]);
    redis?.close();
    await database.close();
    // By now all of what runs has ended, jobs as well.
    await tracing?.close();
  };
  return Object.assign(app, { stop });
}

/** Loaded only where somebody wants it, as tracing is. */
async function openRedis(...given: ConstructorParameters<typeof Redis>): Promise<Redis> {
  const loaded = await import('./platform/redis.ts');
  return new loaded.Redis(...given);
}

async function startTracing(...given: ConstructorParameters<typeof Tracing>): Promise<Tracing> {
  const loaded = await import('./http/tracing.ts');
  return new loaded.Tracing(...given);
}

function listen(server: Server, host: string, port: number): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const { port: bound } = server.address() as AddressInfo;
      resolve({ url: `http://${host}:${bound}`, port: bound });
    });
  });
}

function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 25_000).unref();
  });
}
