import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import expressStaticGzip from 'express-static-gzip';
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { App } from './app.ts';
import { contentSecurityPolicy } from './base.ts';
import { buildOf } from './build.ts';
import { pageFiles } from './page-files.ts';

/** Before anybody is signed in there is a small page of its own; all else is the application. */
const doors = new Set(['/sign-in', '/set-up', '/recovery', '/invitation']);

/** The GraphQL explorer, and the page of the application around it. */
const explorer = '/explorer';
export const explorerPage = '/developers/graphql';

/**
 * The built dashboard. Files have a hash in their name, so they may be kept forever; the pages themselves may not.
 * A page is whatever a browser navigates to and nobody else answers: its script knows the way on.
 */
export function dashboardRouter(app: App): Router {
  const folder = path.join(app.config.projectDir, 'web-client', 'dist');
  const routes = Router();
  routes.use(
    '/assets',
    expressStaticGzip(path.join(folder, 'assets'), {
      index: false,
      enableBrotli: true,
      orderPreference: ['br', 'gz'],
      serveStatic: { immutable: true, maxAge: '1y' },
    }),
  );
  const files = express.static(folder, { maxAge: 0, etag: true, index: false });
  // The pages go out below, each with a nonce of its own.
  routes.use((request, response, next) =>
    request.path.endsWith('.html') ? next() : files(request, response, next),
  );
  routes.use((request: Request, response: Response, next: NextFunction) => {
    if (!isNavigation(request)) return next();
    sendPage(app, folder, request.path, response).catch((error: NodeJS.ErrnoException) =>
      next(error.code === 'ENOENT' ? undefined : error),
    );
  });
  return routes;
}

function isNavigation({ method, path: asked, headers }: Request): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && (headers.accept ?? '').includes('text/html') && !/^\/(api|assets)\/|\.\w+$/.test(asked);
}

async function sendPage(app: App, folder: string, asked: string, response: Response): Promise<void> {
  const framed = asked === explorer;
  const name = framed ? 'explorer.html' : doors.has(asked) ? 'sign-in.html' : 'index.html';
  const nonce = randomBytes(16).toString('base64');
  const [source, { id: build }, links] = await Promise.all([
    readFile(path.join(folder, name), 'utf8'),
    buildOf(app),
    name === 'index.html' ? pageFiles(folder, asked) : '',
  ]);
  const page = source
    .replaceAll('__NONCE__', nonce)
    .replaceAll('__BUILD__', build ?? '')
    .replace('</head>', `${links}</head>`);
  if (framed) response.setHeader('X-Frame-Options', 'SAMEORIGIN');
  response.setHeader(
    'Content-Security-Policy',
    framed ? framedPolicy : policyWith({ styleSrc: ["'self'", `'nonce-${nonce}'`] }),
  );
  response.setHeader('Cache-Control', 'no-store');
  response.type('html').send(page);
}

/** The policy of all our answers, but for some of its parts. */
function policyWith(parts: Partial<Record<keyof typeof contentSecurityPolicy.directives, string[]>>): string {
  return Object.entries({ ...contentSecurityPolicy.directives, ...parts })
    .map(
      ([name, values]) =>
        `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`,
    )
    .join('; ');
}

/** Of a page of somebody else's making that sets styles by itself: it stands in a frame of ours, apart from all else. */
export const framedPolicy = policyWith({
  styleSrc: ["'self'", "'unsafe-inline'"],
  frameAncestors: ["'self'"],
});
