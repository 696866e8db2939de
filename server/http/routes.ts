import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { ProcedureFacts, RestFacts } from '../platform/trpc.ts';
import type { Upload } from '../platform/upload.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';

/** What a REST request carries. */
export interface Body {
  /** What the idempotency fingerprint is made of. */
  bytes: Buffer;
  fields: Record<string, unknown>;
  upload?: Upload | undefined;
}

export type BodyReader = (request: HttpRequest, response: HttpResponse) => Promise<Body>;

/** One endpoint: a method and a pattern of paths, and the procedure behind them. */
export interface Route {
  name: string;
  rest: RestFacts;
  operation: ProcedureFacts['operation'];
  procedure: ProcedureFacts['answer'];
  read: BodyReader;
  /** Query parameters whose text stands for a number or boolean. */
  coerce: ReadonlyMap<string, 'number' | 'boolean'>;
}

const methods: readonly RestFacts['method'][] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** The endpoints by method and path, upper and lower case told apart. */
export class Routes {
  // An id that is too long is no id: the procedure says so, as of any other that is none.
  readonly #router = findMyWay({ maxParamLength: 16_384 });

  add(route: Route): void {
    const path = route.rest.path.replaceAll(/\{(\w+)\}/g, ':$1');
    this.#router.on(route.rest.method, path, unused, route);
  }

  /**
   * The endpoint of a path, and the ids in it. HEAD finds what GET does.
   * @throws URIError when a percent sequence is malformed
   */
  find(method: string, path: string): { route: Route; ids: Record<string, string> } | null {
    if (path.includes('%')) decodeURI(path);
    const found = this.#router.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
    if (!found) return null;
    const ids = found.params as Record<string, string>;
    return Object.values(ids).includes('') ? null : { route: found.store as Route, ids };
  }

  /** What may be done at a path; nothing where there is no endpoint. */
  methodsOf(path: string): string[] {
    return methods
      .filter((method) => this.find(method, path) !== null)
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

/** Routes are found, and what is done about them is not the router's. */
function unused(): void {}
