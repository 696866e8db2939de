import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

/** A request as it goes over the wire. */
export interface Sent {
  method: string;
  /** With the query, percent sequences as they are. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Undefined where the text is no JSON. */
  body: unknown;
  milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

/** Sends a request; a second time where the server had just closed the idle connection. */
export async function exchange(url: string, sent: Sent): Promise<Received> {
  try {
    return await once(url, sent, agent);
  } catch {
    return once(url, sent, undefined);
  }
}

function once(url: string, { method, path, headers, body }: Sent, by: Agent | undefined): Promise<Received> {
  const started = performance.now();
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) };
    const options = {
      hostname,
      port,
      method,
      path,
      headers: { ...headers, ...length },
      ...(by ? { agent: by } : {}),
    };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const milliseconds = performance.now() - started;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: parse(text),
          milliseconds,
        });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path or query part with whatever is in it; half of a surrogate pair as the bytes that it would be. */
export function escape(part: string): string {
  return part
    .replaceAll(/[\ud800-\udfff]/gu, '\uf8ff')
    .replaceAll(/[^\w.~!*'()-]/gu, (character) => encodeURIComponent(character))
    .replaceAll('%EF%A3%BF', '%ED%A0%80');
}
