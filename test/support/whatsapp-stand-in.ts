import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GraphCall {
  method: string;
  path: string;
  token: string | undefined;
  body: Buffer;
  // eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of many shapes
  json: any;
}

type Answer = { status: number; body: object } | 'hang' | 'drop' | null;

export const token = 'EAAG-token-of-the-tests-1234';
export const appSecret = 'app-secret-of-the-tests';
export const verifyToken = 'verify-me';
export const phoneNumberId = '106540352242922';
export const businessAccountId = '102290129340398';

/** Answers as Meta's Graph API does, for one number; what it is asked is kept. */
export class WhatsappStandIn {
  readonly calls: GraphCall[] = [];
  readonly files = new Map<string, { bytes: Buffer; type: string }>();
  readonly templates: object[] = [];
  /** Takes the place of the usual answer. */
  answer: (call: GraphCall) => Answer = () => null;
  readonly #server: Server;
  #messages = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<WhatsappStandIn> {
    const standIn = new WhatsappStandIn();
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Bodies of the messages that were asked for. */
  get sent() {
    return this.calls.filter(({ path }) => path.endsWith('/messages')).map(({ json }) => json);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isJson = request.headers['content-type']?.startsWith('application/json');
    const call: GraphCall = {
      method: request.method ?? '',
      path: (request.url ?? '').split('?')[0] ?? '',
      token: request.headers.authorization?.replace('Bearer ', ''),
      body,
      json: isJson ? JSON.parse(body.toString()) : null,
    };
    this.calls.push(call);
    const own = this.answer(call);
    if (own === 'hang') return;
    if (own === 'drop') return void request.socket.destroy();
    const file = /\/files\/(\w+)$/.exec(call.path)?.[1];
    const found = file === undefined ? undefined : this.files.get(file);
    if (!own && found) {
      response.writeHead(200, { 'Content-Type': found.type }).end(found.bytes);
      return;
    }
    const { status, body: answer } = own ?? this.#usual(call);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  }

  #usual({ method, path, token: given }: GraphCall): { status: number; body: object } {
    if (given !== token) return graphError(401, 190, 'Invalid OAuth access token.');
    const [, , ...rest] = path.split('/');
    const name = rest.join('/');
    if (method === 'GET' && name === phoneNumberId)
      return { status: 200, body: { id: phoneNumberId, display_phone_number: '+351 21 000 0000' } };
    if (method === 'GET' && name === `${businessAccountId}/message_templates`)
      return { status: 200, body: { data: this.templates } };
    if (method === 'POST' && name === `${phoneNumberId}/messages`)
      return { status: 200, body: { messages: [{ id: `wamid.${++this.#messages}` }] } };
    if (method === 'POST' && name === `${phoneNumberId}/media`) return { status: 200, body: { id: '9001' } };
    const file = this.files.get(name);
    if (method === 'GET' && file)
      return { status: 200, body: { id: name, url: `${this.url}/files/${name}`, mime_type: file.type } };
    return graphError(404, 100, 'Unsupported request.');
  }
}

export function graphError(status: number, code: number, message: string) {
  return { status, body: { error: { message, code, type: 'OAuthException', fbtrace_id: 'A1' } } };
}

interface News {
  messages?: Record<string, unknown>[];
  statuses?: object[];
  name?: string;
}

/** What Meta would post for these messages and statuses; other entries stand before them as they are. */
export function webhookBody(news: News, others: unknown[] = []): string {
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [...others, webhookEntry(news)] });
}

export function webhookEntry({ messages = [], statuses = [], name = 'Ana' }: News): object {
  const from = messages[0]?.['from'];
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '351210000000', phone_number_id: phoneNumberId },
    ...(from === undefined ? {} : { contacts: [{ profile: { name }, wa_id: from }] }),
    ...(messages.length > 0 ? { messages } : {}),
    ...(statuses.length > 0 ? { statuses } : {}),
  };
  return { id: businessAccountId, changes: [{ field: 'messages', value }] };
}

export function signature(body: string, secret = appSecret): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

let messages = 0;

/** A customer's message, as Meta's webhook carries it. */
export function whatsappMessage(more: object, from = '351912345678'): Record<string, unknown> {
  return { from, id: `wamid.in.${++messages}`, timestamp: String(Math.floor(Date.now() / 1000)), ...more };
}
