import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { restPrefix } from '../platform/trpc.ts';
import type { App } from './app.ts';
import type { AppRouter } from '../app-router.ts';
import { publicUrlFor } from '../platform/config.ts';
import { framedPolicy } from './dashboard.ts';
import { brunoArchive, postmanCollection } from './docs-collections.ts';
import { guideMarkdown, guidePage } from './docs-guides.ts';
import { llmsText, openApiMarkdown } from './docs-markdown.ts';
import { docsNavigation, docsStyle, guides } from './docs-page.ts';
import { openApiDocument } from './openapi.ts';
import { jsonType } from './responses.ts';
import { toYaml } from './yaml.ts';

/** Without a key: the document, `/api/v1/openapi.json`, and the same as YAML. */
export function documentRouter(app: App, appRouter: AppRouter): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  for (const [end, form] of Object.entries(forms)) {
    const write = (url: string) => form.write(openApiDocument(appRouter, url));
    routes.get(documentPath(end), anyOrigin, atFirst(app, write, form.type));
  }
  return routes;
}

/** Without a key too: the reference of the document at `/docs`, and the guides. */
export function docsRouter(app: App, appRouter: AppRouter): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  const reference = served(page, htmlType);
  routes.get('/docs', (request, response) => {
    response.setHeader('Content-Security-Policy', framedPolicy);
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    reference(request, response);
  });
  for (const [at, { type, write }] of Object.entries(papers(app, appRouter)))
    routes.get(at, atFirst(app, write, type));
  routes.get('/docs/plain.css', served(docsStyle, 'text/css; charset=utf-8'));
  routes.get('/docs/reference.js', served(script, 'text/javascript; charset=utf-8'));
  routes.get('/docs/scalar.js', served(scalar(), 'text/javascript; charset=utf-8'));
  return routes;
}

/** The forms of the document, by the end of its name. */
const forms = {
  json: { type: jsonType, write: (document: object) => JSON.stringify(document) },
  yaml: {
    type: 'application/yaml; charset=utf-8',
    write: (document: object) => toYaml(document),
  },
};

/** Where the document is: among the paths of what it describes. */
export const documentPaths: ReadonlySet<string> = new Set(Object.keys(forms).map(documentPath));

function documentPath(end: string): string {
  return `${restPrefix}/openapi.${end}`;
}

/** What is written for people and for programs that read text, by its path. */
function papers(app: App, appRouter: AppRouter): Record<string, Paper> {
  const { projectDir } = app.config;
  const pages = guides.flatMap(([name]): [string, Paper][] => [
    [`/docs/${name}`, { type: htmlType, write: (url) => guidePage(projectDir, name, url) }],
    [`/docs/${name}.md`, { type: markdownType, write: (url) => guideMarkdown(projectDir, name, url) }],
  ]);
  return {
    ...Object.fromEntries(pages),
    '/docs/postman.json': { type: jsonType, write: (url) => postmanCollection(projectDir, url) },
    '/docs/bruno.zip': { type: 'application/zip', write: (url) => brunoArchive(projectDir, url) },
    '/docs/llms.txt': { type: 'text/plain; charset=utf-8', write: llmsText },
    '/docs/openapi.md': {
      type: markdownType,
      write: (url) => openApiMarkdown(openApiDocument(appRouter, url)),
    },
  };
}

interface Paper {
  type: string;
  write: (url: string) => string | Uint8Array;
}

const htmlType = 'text/html; charset=utf-8';
const markdownType = 'text/markdown; charset=utf-8';

function anyOrigin(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
}

/** Made at the first request: the port is known only once we listen. */
function atFirst(app: App, write: Paper['write'], type: string) {
  let document: ReturnType<typeof served> | null = null;
  return (request: Request, response: Response): void => {
    document ??= served(write(publicUrlFor(app.config, request.socket.localPort)), type);
    document(request, response);
  };
}

/** Answers with a fixed body and an ETag. */
function served(body: string | Uint8Array, contentType: string) {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
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
    <link rel="stylesheet" href="/docs/plain.css" />
  </head>
  <body>
    ${docsNavigation(null)}
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
