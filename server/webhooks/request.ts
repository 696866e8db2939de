import http from 'node:http';
import https from 'node:https';
import type { AttemptError } from '../../schema/webhooks.ts';
import {
  AddressRefused,
  type AddressPolicy,
  guardedLookup,
  parseTarget,
  policyFor,
  portOf,
  type Resolve,
} from './address.ts';

/** How one attempt ended. `error` is null for a 2xx only. */
export interface Outcome {
  status: number | null;
  headers: Record<string, string> | null;
  /** At most 4 kB of the answer, as text that PostgreSQL can store. */
  body: string | null;
  error: AttemptError | null;
  message: string | null;
  retryAfter: string | undefined;
  durationMs: number;
}

/** In milliseconds. */
interface Timeouts {
  connect: number;
  total: number;
}

const bodyLimit = 4096;
const storedHeaders = 30;
const storedHeaderLength = 500;
/** Idle connections kept for one origin, which endpoints of several companies may share. */
const keptSockets = 64;
/** An idle connection is closed after so many milliseconds. */
const idle = 20_000;

class AttemptFailure extends Error {
  readonly kind: AttemptError;

  constructor(kind: AttemptError, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Makes the requests. Connections are kept and reused; each new one is made to an address that was checked. */
export class WebhookClient {
  readonly #policy: AddressPolicy;
  readonly #timeouts: Timeouts;
  readonly #resolve: Resolve | undefined;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: idle, maxFreeSockets: keptSockets }),
    'https:': new https.Agent({ keepAlive: true, timeout: idle, maxFreeSockets: keptSockets }),
  };

  constructor(
    policy: AddressPolicy,
    timeouts: Timeouts = { connect: 5_000, total: 15_000 },
    resolve?: Resolve,
  ) {
    this.#policy = policy;
    this.#timeouts = timeouts;
    this.#resolve = resolve;
  }

  /** One attempt. Never throws: whatever goes wrong is an outcome. */
  async post(target: string, headers: Record<string, string>, body: Buffer): Promise<Outcome> {
    const start = performance.now();
    const outcome = await this.#attempt(target, headers, body).catch((error: unknown) => failureOf(error));
    return { ...outcome, durationMs: Math.round(performance.now() - start) };
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #attempt(target: string, headers: Record<string, string>, body: Buffer) {
    const policy = policyFor(target, this.#policy);
    const url = parseTarget(target, policy);
    const exchange = new Exchange(url, this.#timeouts);
    const options = {
      method: 'POST',
      headers,
      lookup: guardedLookup(portOf(url), policy, this.#resolve),
    };
    const agent = this.#agents[url.protocol as 'http:' | 'https:'];
    try {
      return await exchange.run({ ...options, agent }, body).catch((error: unknown) => {
        // The receiver closed a kept connection just as we wrote to it.
        if (!exchange.wasStale(error)) throw error;
        return exchange.run({ ...options, agent: false }, body);
      });
    } catch (error) {
      throw exchange.failure ?? error;
    } finally {
      exchange.end();
    }
  }
}

/** One request and its answer, within one total time. */
class Exchange {
  readonly #url: URL;
  readonly #connectTimeout: number;
  readonly #deadline: NodeJS.Timeout;
  #request: http.ClientRequest | null = null;
  #answered = false;
  #failure: AttemptFailure | null = null;

  constructor(url: URL, { connect, total }: Timeouts) {
    this.#url = url;
    this.#connectTimeout = connect;
    this.#deadline = setTimeout(() => {
      this.#giveUp(new AttemptFailure('timeout', `No complete answer within ${total / 1000} s.`));
    }, total);
  }

  end(): void {
    clearTimeout(this.#deadline);
  }

  /** Why we gave up; the error that then comes from the connection says something else. */
  get failure(): AttemptFailure | null {
    return this.#failure;
  }

  #giveUp(failure: AttemptFailure): void {
    this.#failure = failure;
    this.#request?.destroy(failure);
  }

  wasStale(error: unknown): boolean {
    const code = codeOf(error);
    return (
      !this.#failure &&
      !this.#answered &&
      this.#request?.reusedSocket === true &&
      (code === 'ECONNRESET' || code === 'EPIPE')
    );
  }

  run(options: https.RequestOptions, body: Buffer): Promise<Omit<Outcome, 'durationMs'>> {
    const secure = this.#url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(this.#url, options);
      this.#request = request;
      this.#watchConnect(request, secure ? 'secureConnect' : 'connect');
      request.on('error', reject);
      request.once('response', (response) => {
        this.#answered = true;
        readAnswer(response).then((text) => resolve(outcomeOf(response, text)), reject);
      });
      request.end(body);
    });
  }

  #watchConnect(request: http.ClientRequest, connected: string): void {
    request.once('socket', (socket) => {
      if (request.reusedSocket) return;
      const seconds = this.#connectTimeout / 1000;
      const timer = setTimeout(
        () => this.#giveUp(new AttemptFailure('timeout', `No connection within ${seconds} s.`)),
        this.#connectTimeout,
      );
      socket.once(connected, () => clearTimeout(timer));
      request.once('close', () => clearTimeout(timer));
    });
  }
}

/** Reads what is kept of the answer and hangs up when it is longer. */
async function readAnswer(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early destroys the answer and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bodyLimit) break;
  }
  return storable(Buffer.concat(chunks).subarray(0, bodyLimit));
}

/** U+0000 can't be stored, and what is no UTF-8 grows when it is replaced. */
function storable(bytes: Buffer): string {
  let text = bytes.toString('utf8').replaceAll('\0', '\uFFFD');
  for (let length = Buffer.byteLength(text); length > bodyLimit; length = Buffer.byteLength(text))
    text = text.slice(0, Math.floor((text.length * bodyLimit) / length));
  return text.toWellFormed();
}

function outcomeOf(response: http.IncomingMessage, body: string): Omit<Outcome, 'durationMs'> {
  const status = response.statusCode ?? 0;
  const good = status >= 200 && status < 300;
  const redirect = status >= 300 && status < 400;
  return {
    status,
    headers: storedHeadersOf(response.headers),
    body,
    error: good ? null : redirect ? 'redirect' : 'status',
    message: good ? null : redirect ? 'Redirects are not followed.' : `Answered ${status}.`,
    retryAfter: good ? undefined : response.headers['retry-after'],
  };
}

function storedHeadersOf(headers: http.IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).slice(0, storedHeaders);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, String(value).slice(0, storedHeaderLength)]),
  );
}

function failureOf(error: unknown): Omit<Outcome, 'durationMs'> {
  const [kind, message] = explain(error);
  return { status: null, headers: null, body: null, error: kind, message, retryAfter: undefined };
}

const kinds: Readonly<Record<string, AttemptError>> = {
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEOUT: 'dns',
  ESERVFAIL: 'dns',
  EBADNAME: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls',
};

/** Codes only: messages of the system hold addresses. */
function explain(error: unknown): [AttemptError, string] {
  if (error instanceof AttemptFailure) return [error.kind, error.message];
  if (error instanceof AddressRefused) return ['blocked', error.message];
  const code = codeOf(error);
  const known = kinds[code];
  if (known) return [known, code];
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return ['tls', code];
  return ['reset', code === '' ? 'The connection broke.' : code];
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}
