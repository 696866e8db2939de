import { z } from 'zod';
import type { MessageTemplate } from '../../schema/messages.ts';
import type { WhatsappConfig } from '../../schema/whatsapp.ts';
import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import type { ChannelRef, OutboundMedia, OutboundMessage, SendResult } from './adapter.ts';
import { markFailing } from './failing.ts';
import { type Answer, type WhatsappApi, whatsappOf } from './whatsapp-api.ts';
import { failureOf } from './whatsapp-inbound.ts';

/** Meta's codes for "not now": throttling of the app, the number, the pair, and its own trouble. */
const later = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131056, 133004]);
/** Codes that say our token is no good. */
const locked = new Set([0, 3, 10, 190, 200]);

const Accepted = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) });

/** Sends one message. @throws Error when it is not known whether Meta took it */
export async function sendWhatsapp(
  app: Services,
  channel: ChannelRef,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const { api, config } = whatsappOf(app, channel);
  const content = await contentOf(app, channel, { api, config, message, signal });
  if ('outcome' in content) return content;
  const body = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.to.replace(/^\+/, ''),
    ...(message.replyTo === null ? {} : { context: { message_id: message.replyTo } }),
    // Comes back with each report: it settles a call whose answer we never got.
    biz_opaque_callback_data: message.id,
    ...content,
  };
  if (signal.aborted) return { outcome: 'later' };
  const answer = await notSent(api.post(`/${config.phone_number_id}/messages`, body, signal));
  if ('outcome' in answer) return answer;
  const accepted = Accepted.safeParse(answer.body);
  if (answer.status === 200 && accepted.success) {
    const [first] = accepted.data.messages;
    return { outcome: 'accepted', providerId: first?.id ?? message.id };
  }
  return refusalOf(app, channel, answer);
}

async function refusalOf(app: Services, channel: ChannelRef, answer: Answer): Promise<SendResult> {
  const { status, error, retryAfter } = answer;
  if (status === 429 || status >= 500 || (error && later.has(error.code)))
    return { outcome: 'later', seconds: retryAfter, failure: error ? failureOf(error) : null };
  if (status === 200) throw new Error('WhatsApp answered without a message id.');
  if (status === 401 || (error && locked.has(error.code)))
    await markFailing(app, channel, error?.message ?? 'WhatsApp does not accept the access token.');
  return { outcome: 'refused', failure: failureOf(error) };
}

/** What never reached Meta may be sent again; anything else that fails is an outcome that nobody knows. */
async function notSent<T>(call: Promise<T>): Promise<T | { outcome: 'later' }> {
  try {
    return await call;
  } catch (error) {
    const cause: unknown = error instanceof Error ? error.cause : undefined;
    const code: unknown =
      typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'code') : undefined;
    if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(code)))
      return { outcome: 'later' };
    throw error;
  }
}

interface Sending {
  api: WhatsappApi;
  config: WhatsappConfig;
  message: OutboundMessage;
  signal: AbortSignal;
}

async function contentOf(
  app: Services,
  channel: ChannelRef,
  { api, config, message, signal }: Sending,
): Promise<object | SendResult> {
  const { template, media, text } = message;
  if (template) return { type: 'template', template: templateOf(template) };
  if (message.product !== null && config.catalog_id !== undefined) {
    const sku = await retailerId(app, channel, message.product);
    if (sku !== null)
      return {
        type: 'interactive',
        interactive: {
          type: 'product',
          ...(text ? { body: { text: text.slice(0, 1024) } } : {}),
          action: { catalog_id: config.catalog_id, product_retailer_id: sku },
        },
      };
  }
  if (media) return mediaContent(app, channel, { api, config, message, signal }, media);
  return { type: 'text', text: { body: text ?? '', preview_url: /https?:\/\//.test(text ?? '') } };
}

/** Named variables keep their names; those by number are taken in order. A header or button says so in its name. */
function templateOf({ name, language, variables }: MessageTemplate): object {
  const parameters = Array.isArray(variables)
    ? variables.map((text) => ({ type: 'text', text }))
    : Object.entries(variables)
        .filter(([key]) => !/^(?:header|button)\./.test(key))
        .map(([key, text]) => ({
          type: 'text',
          ...(/^\d+$/.test(key) ? {} : { parameter_name: key }),
          text,
        }));
  const given = Array.isArray(variables) ? [] : Object.entries(variables);
  const header = given.filter(([key]) => key.startsWith('header.'));
  const buttons = given.filter(([key]) => key.startsWith('button.'));
  const components = [
    ...(header.length > 0
      ? [{ type: 'header', parameters: header.map(([, text]) => ({ type: 'text', text })) }]
      : []),
    ...(parameters.length > 0 ? [{ type: 'body', parameters }] : []),
    ...buttons.map(([key, text]) => ({
      type: 'button',
      sub_type: 'url',
      index: key.slice('button.'.length),
      parameters: [{ type: 'text', text }],
    })),
  ];
  return { name, language: { code: language }, ...(components.length > 0 ? { components } : {}) };
}

async function retailerId(app: Services, { companyId }: ChannelRef, id: string): Promise<string | null> {
  const product = await inTenant(companyId, () =>
    app.prisma.product.findUnique({ where: { companyId_id: { companyId, id } }, select: { sku: true } }),
  );
  return product && (product.sku ?? id);
}

const Uploaded = z.object({ id: z.string() });

/** The file is handed over rather than linked to: a house that nobody reaches from outside can send files too. */
async function mediaContent(
  app: Services,
  channel: ChannelRef,
  { api, config, message, signal }: Sending,
  media: OutboundMedia,
): Promise<object | SendResult> {
  const { companyId } = channel;
  const row = await inTenant(companyId, () =>
    app.prisma.media.findUnique({
      where: { companyId_id: { companyId, id: media.id } },
      select: { storageKey: true },
    }),
  );
  if (!row) return { outcome: 'refused', failure: gone };
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', media.mimeType);
  let answer: Answer;
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await app.storage.open(row.storageKey)) chunks.push(chunk as Buffer);
    form.set('file', new Blob(chunks as BlobPart[], { type: media.mimeType }), media.filename);
    answer = await api.postForm(`/${config.phone_number_id}/media`, form, signal);
  } catch (error) {
    // Nothing was sent to anybody yet.
    app.log.warn({ err: error, media: media.id }, 'file not handed to WhatsApp');
    return { outcome: 'later' };
  }
  const uploaded = Uploaded.safeParse(answer.body);
  if (answer.status !== 200 || !uploaded.success)
    return refusalOf(app, channel, { ...answer, status: answer.status === 200 ? 502 : answer.status });
  const kind = media.kind;
  const captioned = kind === 'image' || kind === 'video' || kind === 'document';
  return {
    type: kind,
    [kind]: {
      id: uploaded.data.id,
      ...(captioned && message.text ? { caption: message.text } : {}),
      ...(kind === 'document' ? { filename: media.filename } : {}),
    },
  };
}

const gone = {
  code: 'provider_error',
  message: 'The file is no longer there.',
  providerCode: null,
} as const;
