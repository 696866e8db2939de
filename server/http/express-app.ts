import express, { type Express } from 'express';
import type { AppRouter } from '../app-router.ts';
import { requireRoom } from './admission.ts';
import type { App } from './app.ts';
import { lastResort, notFoundPage } from './base.ts';
import { channelWebhooksRouter, type ReceiveWebhook } from './channel-webhooks.ts';
import { type CsvResources, csvRouter } from './csv.ts';
import { dashboardRouter } from './dashboard.ts';
import { docsRouter, documentRouter } from './docs.ts';
import { healthRouter } from './health.ts';
import { type FindMedia, mediaRouter } from './media.ts';
import { observed } from './observe.ts';
import { type SignInDoors, signInRouter } from './sign-in.ts';
import { trpcHandler } from './trpc.ts';
import { uploadsRouter } from './uploads.ts';
import { type Webchat, webchatRouter } from './webchat.ts';
import { webhookCatcherRouter } from './webhook-catcher.ts';

/** What of the domains HTTP carries by itself. */
interface Carried extends SignInDoors {
  findMedia: FindMedia;
  receiveWebhook: ReceiveWebhook;
  webchat: Webchat;
  csvResources: CsvResources;
}

/** All that people and their browsers ask for: pages and documents, tRPC, sign-in, files; and probes. */
export function expressApp(
  app: App,
  appRouter: AppRouter,
  { findMedia, receiveWebhook, webchat, csvResources, ...doors }: Carried,
): Express {
  const http = express();
  http.disable('x-powered-by');
  http.disable('etag');
  http.set('trust proxy', app.config.trustProxy);
  http.set('query parser', false);
  http.enable('case sensitive routing');
  http.use(observed(app));
  http.use(documentRouter(app, appRouter));
  http.use(healthRouter(app));
  http.use(docsRouter(app, appRouter));
  http.use(['/channels', '/auth', '/trpc', '/uploads', '/csv'], (_request, _response, next) => {
    requireRoom(app);
    next();
  });
  http.use('/media', mediaRouter(findMedia));
  http.use('/channels', channelWebhooksRouter(app.config, receiveWebhook));
  http.use('/webchat', webchatRouter(app, webchat));
  http.use('/webhook-catcher', webhookCatcherRouter(app));
  http.use('/auth', signInRouter(app, doors));
  http.use('/trpc', trpcHandler(app, appRouter));
  http.use('/uploads', uploadsRouter(app, appRouter));
  http.use('/csv', csvRouter(app, csvResources));
  http.use(dashboardRouter(app));
  http.use(notFoundPage);
  http.use(lastResort(app));
  return http;
}
