import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Context } from '../platform/context.ts';
import { csvLimits, CsvFileError } from '../platform/csv.ts';
import type { Column } from '../platform/csv-columns.ts';
import type { ExportOptions } from '../platform/csv-export.ts';
import type { CsvSource } from '../platform/csv-file.ts';
import { outlineCsv } from '../platform/csv-import.ts';
import type { ImportOptions, ImportResult } from '../platform/csv-plan.ts';
import { AppError, errorBody, invalidField, notFound } from '../platform/errors.ts';
import { authorize } from '../platform/operation.ts';
import { publicError } from '../platform/public-error.ts';
import type { App } from './app.ts';
import { identify } from './authenticate.ts';
import { readMultipart } from './multipart.ts';
import { requestIdOf, sendError } from './responses.ts';

/** What the dashboard imports and exports, by the word of the resource. */
export type CsvResources = Readonly<
  Record<
    string,
    {
      export(ctx: Context, filters: object, options?: ExportOptions): AsyncGenerator<string>;
      import?(
        ctx: Context,
        source: CsvSource,
        options?: ImportOptions & { country?: string },
      ): Promise<ImportResult>;
      /** Those that an import reads. */
      columns?: readonly Column[];
    }
  >
>;

/** The dashboard's alone, and the live records' alone. */
const own = { access: 'any', dashboardOnly: true, liveOnly: true } as const;

/**
 * `GET /csv/contacts?q=…` is the list with these filters as a file; `POST /csv/contacts?dry_run=true` imports the
 * file of a form. `columns=name,,phone` says which column each cell is of, where the header does not; `outline=true`
 * imports nothing and answers `{outline}`, how the header would be read. The answer of an import is one JSON value a line, as it goes on: `{lines}`, `{rows}` that are done,
 * `{rejected}` text of the file of refused rows, at last `{result}`, or `{error}`. Whoever hangs up ends the import
 * between two batches.
 */
export function csvRouter(app: App, resources: CsvResources): Router {
  const options = { folder: path.join(app.config.dataDir, 'uploads'), maximum: csvLimits.bytes };
  const routes = Router({ caseSensitive: true, strict: true });

  const admitted = async (request: Request, response: Response, forms: boolean) => {
    const resource = Object.hasOwn(resources, String(request.params['resource']))
      ? resources[String(request.params['resource'])]
      : undefined;
    await identify(app, request, response, { sessions: true, forms });
    const ctx = response.locals['ctx'] as Context;
    authorize(own, ctx);
    if (!resource) throw notFound();
    return { resource, ctx, query: new URL(request.originalUrl, 'http://host').searchParams };
  };

  const give = async (request: Request, response: Response): Promise<void> => {
    const { resource, ctx, query } = await admitted(request, response, false);
    const text = resource.export(ctx, filtersOf(query), { byteOrderMark: true });
    // The first part comes before the headers: what is refused is refused as anywhere.
    const first = await text.next();
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="${request.params['resource']}.csv"`);
    response.setHeader('Cache-Control', 'no-store');
    response.write(first.value ?? '');
    await pipeline(text, response);
  };

  const take = async (request: Request, response: Response): Promise<void> => {
    // As for uploads: no other site can set this header.
    if (request.headers['x-service-mode'] === undefined)
      throw new AppError('forbidden', 'Send X-Service-Mode: live.');
    const { resource, ctx, query } = await admitted(request, response, true);
    const country = query.get('country') ?? undefined;
    if (country !== undefined && !/^[A-Za-z]{2}$/.test(country))
      throw invalidField('country', 'format', 'Must be a two-letter country code.');
    const { columns } = resource;
    if (!resource.import || !columns) throw notFound();
    const chosen = query
      .get('columns')
      ?.split(',')
      .map((name) => name || null);
    const form = await readMultipart(request, response, options);
    const answer = new Lines(response);
    try {
      const { upload } = form;
      if (!upload) throw invalidField('file', 'required', 'Send a file.');
      const source = { read: () => createReadStream(upload.path) };
      if (query.get('outline') === 'true') {
        answer.put({ outline: await outlineCsv(columns, source) });
        return void response.end();
      }
      const result = await resource.import(ctx, source, {
        dryRun: query.get('dry_run') === 'true',
        ...(chosen ? { columns: chosen } : {}),
        ...(country === undefined ? {} : { country }),
        signal: answer.gone.signal,
        onStart: (lines) => answer.put({ lines }),
        onProgress: (rows) => answer.put({ rows }),
        rejected: (text) => answer.putAll({ rejected: text }),
      });
      answer.put({ result });
    } catch (error) {
      const told = error instanceof CsvFileError ? invalidField('file', 'format', error.message) : error;
      if (!response.headersSent) throw told;
      if (!answer.gone.signal.aborted) answer.put({ error: publicBody(app, response, told) });
    } finally {
      await form.upload?.discard();
    }
    response.end();
  };

  routes.get('/:resource', (request: Request, response: Response, next: NextFunction) => {
    give(request, response).catch(next);
  });
  routes.post('/:resource', (request: Request, response: Response, next: NextFunction) => {
    take(request, response).catch(next);
  });
  routes.use((_request, response, next) => {
    response.setHeader('Allow', 'GET, POST');
    next(new AppError('method_not_allowed', 'Files are read by GET and sent by POST.'));
  });
  routes.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = publicError(error, { log: app.log, requestId: requestIdOf(response) });
    if (response.headersSent) response.destroy();
    else if (known instanceof AppError) sendError(response, known);
  });
  return routes;
}

/** JSON values, one a line, to somebody who may hang up. */
class Lines {
  readonly gone = new AbortController();
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
    response.once('close', () => this.gone.abort());
  }

  put(value: object): void {
    if (!this.#response.headersSent) {
      this.#response.setHeader('Content-Type', 'application/x-ndjson');
      this.#response.setHeader('Cache-Control', 'no-store');
    }
    if (!this.gone.signal.aborted) this.#response.write(`${JSON.stringify(value)}\n`);
  }

  /** The same for what may be much: it waits until the reader has taken it. */
  async putAll(value: object): Promise<void> {
    this.put(value);
    if (!this.#response.writableNeedDrain) return;
    await once(this.#response, 'drain', { signal: this.gone.signal }).catch(() => {});
  }
}

function publicBody(app: App, response: Response, error: unknown): object | undefined {
  const requestId = requestIdOf(response);
  const known = publicError(error, { log: app.log, requestId });
  return known instanceof AppError ? errorBody(known, requestId).error : undefined;
}

const flags: ReadonlySet<string> = new Set(['blocked', 'subscribed', 'in_stock']);

/** Parameters as the list's schema has them; it refuses what is none. */
function filtersOf(query: URLSearchParams): object {
  return Object.fromEntries(
    [...query]
      .filter(([name, value]) => value !== '' && name !== 'limit' && name !== 'cursor')
      .map(([name, value]) => [name, valueOf(name, value)]),
  );
}

function valueOf(name: string, value: string): string | boolean | number {
  if (flags.has(name) && /^(?:true|false)$/.test(value)) return value === 'true';
  return name === 'available_max' && /^\d{1,10}$/.test(value) ? Number(value) : value;
}
