import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the stand-in does with one request. */
export type Behaviour =
  | { does: 'answer'; value: unknown; tokens?: [input: number, output: number] }
  /** A good envelope around something else than asked for. */
  | { does: 'malformed'; content: string }
  /** No JSON at all. */
  | { does: 'garbage' }
  | { does: 'refuse' }
  | { does: 'filter' }
  | { does: 'status'; status: number; retryAfter?: number }
  /** Knows no JSON schemas. */
  | { does: 'no-schemas'; value: unknown }
  /** Accepts the request and says nothing. */
  | { does: 'hang' }
  /** Says half of the answer and then nothing. */
  | { does: 'stall' }
  /** Ends the connection in the middle of the answer. */
  | { does: 'half-stream' };

export interface Received {
  headers: IncomingMessage['headers'];
  path: string;
  /** As it came over the wire. */
  text: string;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format: { type: string };
  };
}

/** A local OpenAI-compatible service that does what a test says, request by request; the last one goes on. */
export class AiStandIn {
  readonly received: Received[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #behaviours: Behaviour[] = [];

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  will(...behaviours: Behaviour[]): void {
    this.#behaviours = behaviours;
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text) as Received['body'];
    this.received.push({ headers: request.headers, path: request.url ?? '', text, body });
    const [next, ...rest] = this.#behaviours;
    if (rest.length > 0) this.#behaviours = rest;
    if (next) act(next, body, response);
    else json(response, 500, { error: { message: 'no behaviour' } });
  }
}

function act(behaviour: Behaviour, body: Received['body'], response: ServerResponse): void {
  switch (behaviour.does) {
    case 'answer':
      return json(response, 200, completion(JSON.stringify(behaviour.value), behaviour.tokens));
    case 'malformed':
      return json(response, 200, completion(behaviour.content));
    case 'garbage':
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('<html>Bad gateway</html>');
      return undefined;
    case 'refuse':
      return json(response, 200, completion(null, [20, 3], { refusal: 'I can’t help with that.' }));
    case 'filter':
      return json(response, 200, completion('', [20, 0], {}, 'content_filter'));
    case 'status':
      return json(
        response,
        behaviour.status,
        { error: { message: 'The prompt was: secret', type: 'x' } },
        behaviour.retryAfter === undefined ? {} : { 'Retry-After': String(behaviour.retryAfter) },
      );
    case 'no-schemas':
      return body.response_format.type === 'json_schema'
        ? json(response, 400, { error: { message: 'response_format is not supported' } })
        : json(response, 200, completion(JSON.stringify(behaviour.value)));
    case 'hang':
      return undefined;
    case 'stall':
    case 'half-stream': {
      const whole = JSON.stringify(completion('{"text":"never seen"}'));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': whole.length });
      response.write(whole.slice(0, whole.length / 2), () => {
        if (behaviour.does === 'half-stream') response.destroy();
      });
      return undefined;
    }
  }
}

function completion(
  content: string | null,
  [input, output] = [120, 30],
  message: Record<string, unknown> = {},
  finish = 'stop',
) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'stand-in',
    choices: [
      { index: 0, finish_reason: finish, message: { role: 'assistant', content, refusal: null, ...message } },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: (input ?? 0) + (output ?? 0) },
  };
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
