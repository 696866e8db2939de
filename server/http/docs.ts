import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { stringify } from 'yaml';
import type { App } from './app.ts';
import type { AppRouter } from '../app-router.ts';
import { publicUrlFor } from '../platform/config.ts';
import { framedPolicy } from './dashboard.ts';
import { errorsDocument, plainStyle } from './docs-errors.ts';
import { openApiDocument } from './openapi.ts';
import { jsonType } from './responses.ts';

/** The document and its reference page, without a key: `/api/v1/openapi.json`, the same as YAML, and `/docs`. */
export function docsRouter(app: App, appRouter: AppRouter): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  for (const [end, form] of Object.entries(forms)) {
    let document: ReturnType<typeof served> | null = null;
    routes.get(`/api/v1/openapi.${end}`, (request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      // Made at the first request: the port is known only once we listen.
      const url = publicUrlFor(app.config, request.socket.localPort);
      document ??= served(form.write(openApiDocument(appRouter, url)), form.type);
      document(request, response);
    });
  }
  const reference = served(page, 'text/html; charset=utf-8');
  routes.get('/docs', (request, response) => {
    response.setHeader('Content-Security-Policy', framedPolicy);
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    reference(request, response);
  });
  routes.get('/docs/errors', served(errorsDocument(), 'text/html; charset=utf-8'));
  routes.get('/docs/plain.css', served(plainStyle, 'text/css; charset=utf-8'));
  routes.get('/docs/reference.js', served(script, 'text/javascript; charset=utf-8'));
  routes.get('/docs/scalar.js', served(scalar(), 'text/javascript; charset=utf-8'));
  return routes;
}

/** The forms of the document, by the end of its name. */
const forms = {
  json: { type: jsonType, write: (document: object) => JSON.stringify(document) },
  yaml: {
    type: 'application/yaml; charset=utf-8',
    write: (document: object) => stringify(document, { aliasDuplicateObjects: false }),
  },
};

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

/** Everything that would ask another host is off. The dashboard, around it, may hand it a key, which it keeps nowhere. */
const script = `const settings = {
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
};
const reference = Scalar.createApiReference('#reference', settings);
addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== parent || typeof data?.token !== 'string') return;
  const authentication = { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token: data.token } } };
  reference.updateConfiguration({ ...settings, authentication });
});
if (parent !== window) parent.postMessage('reference ready', location.origin);
`;
