import type { z } from 'zod';
import {
  WhatsappChange,
  WhatsappContact,
  WhatsappEntry,
  WhatsappEnvelope,
  type WhatsappError,
  WhatsappMessage,
  WhatsappStatus,
  WhatsappValue,
  WhatsappWebhook,
} from '../../schema/whatsapp.ts';
import type { FailureCode } from '../../schema/messages.ts';
import type { Failure, InboundMedia, InboundMessage, Received, StatusReport } from './adapter.ts';

/** What Meta told of one number; news of other numbers of the account are left out. */
export function whatsappValues(body: unknown, phoneNumberId: string): object[] {
  return WhatsappWebhook.parse(body)
    .entry.flatMap((entry) => WhatsappEntry.safeParse(entry).data?.changes ?? [])
    .flatMap((change) => WhatsappChange.safeParse(change).data?.value ?? [])
    .filter(({ metadata }) => metadata.phone_number_id === phoneNumberId);
}

/** Each message and report on its own: a message of another form stands there as one that can't be shown. */
export function readWhatsapp(values: readonly unknown[]): Received {
  const received: Required<Received> = { messages: [], statuses: [], unread: [] };
  const unread = (kind: string, error: z.core.$ZodError | undefined) =>
    received.unread.push(`${kind}: ${error?.issues.map(({ path, code }) => `${path.join('.')} ${code}`)}`);
  for (const value of values) {
    const { messages, contacts, statuses } = WhatsappValue.parse(value);
    const names = new Map(
      contacts
        .flatMap((contact) => WhatsappContact.safeParse(contact).data ?? [])
        .map(({ wa_id: id, profile }) => [id, profile.name]),
    );
    for (const item of messages) {
      const { data: envelope, error } = WhatsappEnvelope.safeParse(item);
      if (!envelope) unread('message', error);
      else if (envelope.type !== 'system')
        received.messages.push(inbound(item, envelope, names.get(envelope.from) ?? null));
    }
    for (const item of statuses) {
      const { data: status, error } = WhatsappStatus.safeParse(item);
      if (status) received.statuses.push(...report(status));
      else unread('report', error);
    }
  }
  return received;
}

const unsupported = '[Message of a kind that WhatsApp does not pass on]';

function inbound(
  item: unknown,
  { id: providerId, from }: z.infer<typeof WhatsappEnvelope>,
  name: string | null,
): InboundMessage {
  const { data: message } = WhatsappMessage.safeParse(item);
  if (!message) return { providerId, from, name, text: unsupported, replyTo: null };
  const media = mediaOf(message);
  return {
    providerId,
    from,
    name,
    text: media ? (fileOf(message)?.caption ?? '') : textOf(message),
    replyTo: message.reaction?.message_id ?? message.context?.id ?? null,
    media,
  };
}

function fileOf({ image, video, audio, voice, document, sticker }: WhatsappMessage) {
  return image ?? video ?? audio ?? voice ?? document ?? sticker;
}

function mediaOf(message: WhatsappMessage): InboundMedia | null {
  const file = fileOf(message);
  if (!file) return null;
  const [mimeType = ''] = file.mime_type.split(';');
  return {
    reference: file.id,
    mimeType: mimeType.trim().toLowerCase(),
    filename: file.filename ?? null,
    sticker: message.sticker !== undefined,
  };
}

/** What stands for a message that is no text, in words that an agent can read. */
function textOf(message: WhatsappMessage): string {
  const { text, button, interactive, location, contacts, reaction, order } = message;
  if (text) return text.body;
  if (button?.text) return button.text;
  if (interactive) {
    const chosen = interactive.button_reply ?? interactive.list_reply;
    if (chosen) return [chosen.title, chosen.description].filter(Boolean).join('\n');
    return interactive.nfm_reply?.body ?? '[Form sent]';
  }
  if (location) {
    const place = [location.name, location.address].filter(Boolean).join(', ');
    const map = `https://maps.google.com/?q=${location.latitude},${location.longitude}`;
    return [place, map].filter(Boolean).join('\n');
  }
  if (contacts)
    return contacts
      .map(({ name, phones }) =>
        [name?.formatted_name, ...phones.map(({ phone }) => phone)].filter(Boolean).join(' '),
      )
      .join('\n');
  if (reaction) return reaction.emoji ? `Reacted with ${reaction.emoji}` : 'Took back a reaction';
  if (order) {
    const lines = order.product_items.map(({ quantity, product_retailer_id: sku }) => `${quantity} × ${sku}`);
    return ['Order:', ...lines, order.text].filter(Boolean).join('\n');
  }
  return unsupported;
}

const known = ['sent', 'delivered', 'read', 'failed'] as const;

function report(status: z.infer<typeof WhatsappStatus>): StatusReport[] {
  const word = known.find((one) => one === status.status);
  if (!word) return [];
  return [
    {
      providerId: status.id,
      reference: status.biz_opaque_callback_data ?? null,
      status: word,
      at: new Date(status.timestamp * 1_000),
      failure: word === 'failed' ? failureOf(status.errors?.[0]) : null,
    },
  ];
}

const codes: Readonly<Record<number, FailureCode>> = {
  131047: 'window_closed',
  131026: 'undeliverable',
  131049: 'marketing_limit',
  4: 'rate_limited',
  80007: 'rate_limited',
  130429: 'rate_limited',
  131056: 'rate_limited',
  132000: 'template_mismatch',
};

/** Meta's error in our words; its own code is kept. Source: decisions §5. */
export function failureOf(error: WhatsappError | undefined): Failure {
  if (!error) return { code: 'provider_error', message: 'WhatsApp gave no reason.', providerCode: null };
  return {
    code: codes[error.code] ?? 'provider_error',
    message: error.error_data?.details ?? error.message ?? error.title ?? 'WhatsApp refused it.',
    providerCode: String(error.code),
  };
}
