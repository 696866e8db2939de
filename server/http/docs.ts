import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import type { App } from './app.ts';
import type { AppRouter } from '../app-router.ts';
import { publicUrlFor } from '../platform/config.ts';
import { openApiDocument } from './openapi.ts';
import { jsonType } from './responses.ts';

/** The document and its reference page, without a key: `/api/v1/openapi.json` and `/docs`. */
export function docsRouter(app: App, appRouter: AppRouter): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  let document: ReturnType<typeof served> | null = null;
  routes.get('/api/v1/openapi.json', (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    // Made at the first request: the port is known only once we listen.
    const url = publicUrlFor(app.config, request.socket.localPort);
    document ??= served(JSON.stringify(openApiDocument(appRouter, url)), jsonType);
    document(request, response);
  });
  const reference = served(page, 'text/html; charset=utf-8');
  routes.get('/docs', (request, response) => {
    response.setHeader('Content-Security-Policy', referencePolicy);
    reference(request, response);
  });
  routes.get('/docs/reference.js', served(script, 'text/javascript; charset=utf-8'));
  routes.get('/docs/scalar.js', served(scalar(), 'text/javascript; charset=utf-8'));
  return routes;
}

/** The reference page sets styles on its own; nothing else of ours does. */
const referencePolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
].join('; ');

/** Answers with a fixed text and an ETag. */
function served(body: string, contentType: string) {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const bytes = Buffer.from(body);
  return (request: Request, response: Response): void => {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'no-cache');
    if (request.headers['if-none-match'] === etag) return void response.status(304).end();
    response.setHeader('Content-Type', contentType);
    response.end(bytes);
  };
}

function scalar(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
  return readFileSync(path.join(path.dirname(entry), 'browser', 'standalone.js'), 'utf8');
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parlour API reference</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <main id="reference"></main>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;

/** Everything that would ask another host is off. */
const script = `Scalar.createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;
