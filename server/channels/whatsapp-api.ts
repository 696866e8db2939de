import { z } from 'zod';
import {
  WhatsappConfig,
  WhatsappCredentials,
  WhatsappError,
  WhatsappTemplate,
} from '../../schema/whatsapp.ts';
import type { Services } from '../platform/services.ts';
import type { ChannelRef } from './adapter.ts';
import { credentialsOf } from './credentials.ts';

/** Meta's answer to a call. */
export interface Answer {
  status: number;
  body: unknown;
  /** Of an answer that is no success. */
  error: WhatsappError | undefined;
  retryAfter: number | null;
}

const ErrorBody = z.object({ error: WhatsappError });
/** Hosts of Meta's that files come from, beside the API's own. */
const fileHosts = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/;

/** Of the API, unless the base URL names one. */
const version = 'v23.0';

/** The WhatsApp Cloud API, as one channel may use it. Nothing but `WHATSAPP_API_URL` and Meta's file hosts is called. */
export class WhatsappApi {
  readonly #base: string;
  readonly #token: string;

  constructor(app: Pick<Services, 'config'>, token: string) {
    const base = app.config.whatsappApiUrl.replace(/\/$/, '');
    this.#base = /\/v\d+\.\d+$/.test(base) ? base : `${base}/${version}`;
    this.#token = token;
  }

  get(path: string, signal: AbortSignal): Promise<Answer> {
    return this.#call(path, { method: 'GET', signal });
  }

  post(path: string, body: object, signal: AbortSignal): Promise<Answer> {
    return this.#call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
      signal,
    });
  }

  postForm(path: string, body: FormData, signal: AbortSignal): Promise<Answer> {
    return this.#call(path, { method: 'POST', body, signal });
  }

  /** A file that Meta holds; null when it has it no more. @throws Error when it may be had later */
  async file(id: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    const found = await this.get(`/${encodeURIComponent(id)}`, signal);
    if (isGone(found.status)) return null;
    const url = z.object({ url: z.string() }).safeParse(found.body).data?.url;
    if (found.status !== 200 || url === undefined) throw new Error(`WhatsApp answered ${found.status}.`);
    const target = new URL(url);
    const own = new URL(this.#base);
    if (target.origin !== own.origin && !(target.protocol === 'https:' && fileHosts.test(target.hostname)))
      throw new Error('WhatsApp named a file on a host that is not its own.');
    const response = await fetch(target, { headers: this.#headers, redirect: 'error', signal });
    if (isGone(response.status)) return null;
    if (!response.ok || !response.body) throw new Error(`WhatsApp answered ${response.status}.`);
    return response.body;
  }

  get #headers() {
    return { Authorization: `Bearer ${this.#token}` };
  }

  async #call(path: string, init: RequestInit): Promise<Answer> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(this.#base + path, { ...init, headers, redirect: 'error' });
    const text = await response.text();
    const body: unknown = parse(text);
    const wait = Number(response.headers.get('retry-after'));
    return {
      status: response.status,
      body,
      error: response.ok ? undefined : ErrorBody.safeParse(body).data?.error,
      retryAfter: Number.isFinite(wait) && wait > 0 ? wait : null,
    };
  }
}

function isGone(status: number): boolean {
  return status === 400 || status === 404 || status === 410;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A channel's settings, and the API with its credentials. */
export function whatsappOf(app: Services, channel: ChannelRef) {
  const credentials = credentialsOf(app, channel, WhatsappCredentials);
  return {
    config: WhatsappConfig.parse(channel.config),
    credentials,
    api: new WhatsappApi(app, credentials.access_token),
  };
}

export type Template = z.infer<typeof WhatsappTemplate>;

const templatePages = 20;

/** All templates of the account. @throws Error when Meta does not give them */
export async function readTemplates(
  api: WhatsappApi,
  businessAccountId: string,
  signal: AbortSignal,
): Promise<Template[]> {
  const templates: Template[] = [];
  let after = '';
  for (let page = 0; page < templatePages; page++) {
    const cursor = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = await api.get(
      `/${businessAccountId}/message_templates?fields=name,language,status,category,components&limit=100${cursor}`,
      signal,
    );
    const read = TemplatePage.safeParse(body);
    if (status !== 200 || !read.success) throw new Error(`WhatsApp answered ${status}.`);
    templates.push(...read.data.data);
    const next = read.data.paging?.next ? read.data.paging.cursors?.after : undefined;
    if (next === undefined) break;
    after = next;
  }
  return templates;
}

const TemplatePage = z.object({
  data: z.array(WhatsappTemplate),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() })
    .optional(),
});
