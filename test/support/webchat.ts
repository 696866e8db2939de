import { randomUUID } from 'node:crypto';
import { type Client as SocketClient, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createChannel } from '../../server/channels/service.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import type { TestServer } from './server.ts';

export const page = 'https://shop.example';

/** A webchat channel that pages of `page` may use. */
export async function addWebchat(
  { app }: TestServer,
  companyId: string,
  config: Record<string, unknown> = {},
  name = 'Website',
): Promise<string> {
  const ctx = await systemContext(app, companyId);
  const settings = { allowed_origins: [page], ...config };
  return (await execute(createChannel, ctx, { kind: 'webchat', name, config: settings })).id;
}

interface Message {
  id: string;
  clientId: string | null;
  fromVisitor: boolean;
  author: string | null;
  text: string | null;
  status: string;
  media: { url: string; kind: string; filename: string } | null;
}

export interface Change {
  sequence: string | null;
  type: string;
  message: Message | null;
  typing: { name: string | null; active: boolean } | null;
}

const messageFields = 'id clientId fromVisitor author text status media { url kind filename }';
export const changeFields = `sequence type message { ${messageFields} } typing { name active }`;

/** A visitor as the widget is one: over HTTP, and over WebSocket for what is followed. */
export class Visitor {
  readonly url: string;
  readonly channel: string;
  token = '';
  origin: string | undefined = page;
  readonly sockets: WebSocket[] = [];

  constructor(url: string, channel: string) {
    this.url = url;
    this.channel = channel;
  }

  get base(): string {
    return `${this.url}/webchat/${this.channel}`;
  }

  #headers(more: Record<string, string>): Record<string, string> {
    return { ...(this.origin === undefined ? {} : { Origin: this.origin }), ...more };
  }

  async start(body: Record<string, unknown> = {}) {
    const answer = await this.post('/session', body);
    this.token = answer.body.data?.token ?? this.token;
    return answer;
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.base}${path}`, {
      method: 'POST',
      headers: this.#headers({ 'Content-Type': 'application/json', ...headers }),
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  graphql(query: string, variables: Record<string, unknown> = {}) {
    return this.post('/graphql', { query, variables }, { Authorization: `Bearer ${this.token}` });
  }

  async send(text: string, clientId: string = randomUUID(), mediaUrl?: string): Promise<Message> {
    const { body } = await this.graphql(
      `mutation($input: WebchatSendInput!) { webchatSend(input: $input) { ${messageFields} } }`,
      { input: { clientId, text, mediaUrl } },
    );
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.webchatSend;
  }

  async session(args = '') {
    const { body } = await this.graphql(
      `{ webchatSession${args} { name email hasMore unread seen sequence messages { ${messageFields} } } }`,
    );
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.webchatSession as {
      messages: Message[];
      sequence: string;
      unread: number;
      seen: boolean;
    };
  }

  async upload(file: File) {
    const form = new FormData();
    form.append('file', file);
    const response = await fetch(`${this.base}/media`, {
      method: 'POST',
      headers: this.#headers({ Authorization: `Bearer ${this.token}` }),
      body: form,
    });
    return { status: response.status, body: await response.json() };
  }

  socket(path = `/webchat/${this.channel}/graphql`): SocketClient {
    const { origin, sockets } = this;
    class FromPage extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, origin === undefined ? {} : { origin });
        this.on('error', () => {});
        sockets.push(this);
      }
    }
    return createClient({
      url: `${this.url.replace('http', 'ws')}${path}`,
      webSocketImpl: FromPage,
      connectionParams: { Authorization: `Bearer ${this.token}` },
      retryAttempts: 0,
    });
  }
}
