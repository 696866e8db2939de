import path from 'node:path';
import express, { Router } from 'express';
import type { App } from './app.ts';

/** The built dashboard. Files have a hash in their name, so they may be kept forever; the page itself may not. */
export function dashboardRouter(app: App): Router {
  const folder = path.join(app.config.projectDir, 'web-client', 'dist');
  const routes = Router();
  routes.use(
    '/assets',
    express.static(path.join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }),
  );
  routes.use(express.static(folder, { maxAge: 0, etag: true }));
  return routes;
}
