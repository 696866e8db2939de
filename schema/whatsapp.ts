import { z } from 'zod';

const digits = z.string().regex(/^\d{5,20}$/);

/** Settings of a WhatsApp channel: ids as Meta's console shows them. */
export const WhatsappConfig = z.object({
  phone_number_id: digits,
  /** Needed to list templates. */
  business_account_id: digits.optional(),
  /** With a catalogue, product cards are WhatsApp's own. */
  catalog_id: digits.optional(),
});
export type WhatsappConfig = z.infer<typeof WhatsappConfig>;

const secret = z.string().trim().min(1).max(1_000);

/** What Meta asks for: the app's token and secret, and the word with which it proves the webhook's address. */
export const WhatsappCredentials = z.object({
  access_token: secret,
  app_secret: secret,
  verify_token: secret,
});

const text = z.string();
const file = z.object({
  id: text,
  mime_type: text.default('application/octet-stream'),
  filename: text.optional(),
  caption: text.optional(),
});
const reply = z.object({ title: text, description: text.optional() });

/** What every message of a customer has, whatever else Meta puts into it. */
export const WhatsappEnvelope = z.object({ from: text, id: text, type: text.optional() });

/** What a message of a customer says: a field named as its type. */
export const WhatsappMessage = z.object({
  context: z.object({ id: text.optional() }).nullish(),
  text: z.object({ body: text }).optional(),
  image: file.optional(),
  video: file.optional(),
  audio: file.optional(),
  voice: file.optional(),
  document: file.optional(),
  sticker: file.optional(),
  location: z
    .object({ latitude: z.number(), longitude: z.number(), name: text.optional(), address: text.optional() })
    .optional(),
  contacts: z
    .array(
      z.object({
        name: z.object({ formatted_name: text.optional() }).optional(),
        phones: z.array(z.object({ phone: text.optional() })).default([]),
      }),
    )
    .optional(),
  interactive: z
    .object({
      button_reply: reply.optional(),
      list_reply: reply.optional(),
      nfm_reply: z.object({ body: text.optional() }).optional(),
    })
    .optional(),
  button: z.object({ text: text.optional() }).optional(),
  reaction: z.object({ message_id: text, emoji: text.optional() }).optional(),
  order: z
    .object({
      text: text.optional(),
      product_items: z
        .array(z.object({ product_retailer_id: text, quantity: z.coerce.number() }))
        .default([]),
    })
    .optional(),
});
export type WhatsappMessage = z.infer<typeof WhatsappMessage>;

export const WhatsappError = z.object({
  code: z.number(),
  title: text.optional(),
  message: text.optional(),
  error_data: z.object({ details: text.optional() }).optional(),
});
export type WhatsappError = z.infer<typeof WhatsappError>;

export const WhatsappStatus = z.object({
  id: text,
  status: text,
  /** In seconds since 1970, until the year 9999. */
  timestamp: z.coerce.number().min(0).max(253_402_300_799),
  biz_opaque_callback_data: text.optional(),
  /** Why is worth less than that: a failure whose reason is of another form is a failure. */
  errors: z.array(WhatsappError).optional().catch(undefined),
});

export const WhatsappContact = z.object({ wa_id: text, profile: z.object({ name: text }) });

/** News of one number. Each item is read on its own, so that one that is odd holds back no other. */
export const WhatsappValue = z.object({
  metadata: z.object({ phone_number_id: text }),
  contacts: z.array(z.unknown()).default([]),
  messages: z.array(z.unknown()).default([]),
  statuses: z.array(z.unknown()).default([]),
});

/** The body of a webhook call; other fields than `messages` (template reviews, account news) are passed over. */
export const WhatsappWebhook = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.unknown()),
});
export const WhatsappEntry = z.object({ changes: z.array(z.unknown()).default([]) });
export const WhatsappChange = z.object({ field: z.literal('messages'), value: WhatsappValue });

/** What is kept of a channel's templates: in which category Meta put them. */
export const WhatsappTemplates = z.array(
  z.object({ name: z.string(), language: z.string(), category: z.string() }),
);

export const WhatsappTemplate = z.object({
  name: text,
  language: text,
  status: text,
  category: text,
  components: z.array(z.record(text, z.unknown())).default([]),
});
