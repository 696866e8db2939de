import { z } from 'zod';
import { idOut, issue, moment, page, pageQuery, publicId, single, text, timestamp } from './common.ts';
import { authorTypes, MessageMedia, messageStatuses, messageTypes, ReplySnippet } from './entries.ts';

/** Why a message was not delivered, whatever the provider calls it. */
export const failureCodes = [
  'window_closed',
  'undeliverable',
  'marketing_limit',
  'rate_limited',
  'template_mismatch',
  'provider_error',
] as const;
export type FailureCode = (typeof failureCodes)[number];

const TemplateVariables = z.union([z.record(z.string(), z.string()), z.array(z.string())]);

export const MessageTemplate = z
  .strictObject({ name: z.string(), language: z.string(), variables: TemplateVariables })
  .meta({ id: 'MessageTemplate' });
export type MessageTemplate = z.infer<typeof MessageTemplate>;

export const MessageAuthor = z
  .strictObject({
    type: z.enum(authorTypes),
    id: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  })
  .meta({ id: 'MessageAuthor' });

/** One message of a thread. Source: decisions §5. */
export const Message = z
  .strictObject({
    id: idOut,
    conversation: idOut,
    contact: idOut,
    channel: z.string().meta({ description: 'Kind of channel.', examples: ['whatsapp'] }),
    direction: z.enum(['inbound', 'outbound']),
    type: z.enum(messageTypes),
    subject: z.string().nullable().meta({ description: 'Of an e-mail that came in; else null.' }),
    text: z.string().nullable().meta({ description: 'Body, or caption of a file.' }),
    media: MessageMedia.nullable(),
    template: MessageTemplate.nullable(),
    product: idOut.nullable(),
    order: idOut.nullable(),
    reply_to: ReplySnippet.nullable().meta({ description: 'The message that this one answers.' }),
    author: MessageAuthor,
    status: z.enum(messageStatuses).meta({ description: 'As last known; webhooks tell of changes.' }),
    failure: z
      .strictObject({
        code: z.enum(failureCodes),
        message: z.string(),
        provider_code: z.string().nullable(),
      })
      .nullable(),
    held_until: timestamp.nullable(),
    ai_generated: z.boolean(),
    feedback_id: z.string().nullable(),
    campaign: idOut.nullable(),
    client_ref: z.string().nullable(),
    sent_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
    read_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof Message>;

/** Query of the list, newest first. An unknown conversation or contact matches nothing. */
export const MessageListQuery = z.object({
  conversation: publicId.optional(),
  contact: publicId.optional(),
  direction: z.enum(['inbound', 'outbound']).optional(),
  type: z.enum(messageTypes).optional(),
  from: moment.optional().meta({ description: 'Created at or after.' }),
  to: moment.optional().meta({ description: 'Created before.' }),
  ...pageQuery,
});
export type MessageListQuery = z.infer<typeof MessageListQuery>;

/** Longest text of a message, and of the caption of a file. */
export const textMaximum = 4096;
export const captionMaximum = 1024;
export const holdMaximum = 300;

const variable = text(1024);
export const template = z.object({
  name: text(191, 1),
  language: text(10, 1),
  variables: z
    .union([z.array(variable).max(30), z.record(z.string(), variable)])
    .superRefine((value, context) => {
      if (Object.keys(value).length > 30) context.addIssue(issue('max', 'Must have at most 30 variables.'));
      if (Object.keys(value).some((name) => name.length > 191 || name.includes('\0') || !name.isWellFormed()))
        context.addIssue(issue('format', 'Has a variable whose name can’t be one.'));
    })
    .optional(),
});

const fields = {
  conversation: publicId.optional().meta({ description: 'Exactly one of conversation and contact.' }),
  contact: publicId.optional().meta({
    description: 'Goes into their newest open conversation on the channel, or a reopened or new one.',
  }),
  channel: text(30, 1).optional().meta({
    minLength: 1,
    maxLength: 30,
    description: 'With contact: name or kind of a channel; unless given, that of their latest conversation.',
  }),
  type: z.enum(messageTypes).optional().meta({ description: 'Follows from the other fields unless given.' }),
  text: text(textMaximum, 1).optional().meta({
    minLength: 1,
    maxLength: textMaximum,
    description: 'Caption of a file: at most 1024 characters.',
  }),
  media_url: text(2048, 1).optional().meta({ description: 'URL that `POST /media` returned.' }),
  template: template.optional(),
  product: publicId.optional(),
  order: publicId.optional(),
  quick_reply: publicId.optional().meta({ description: 'Gives text and file; `text` replaces its text.' }),
  reply_to: publicId.optional().meta({ description: 'A message of the same conversation.' }),
  hold_seconds: z
    .int()
    .min(0)
    .max(holdMaximum)
    .optional()
    .meta({ description: 'Waits so long, and can be cancelled meanwhile.' }),
  client_ref: text(64, 1)
    .optional()
    .meta({ minLength: 1, maxLength: 64, description: 'Your own reference; unique per conversation.' }),
};

/** What each type needs, and what it can't go together with. */
const contents = {
  text: { needs: 'text', not: ['media_url', 'template', 'product', 'order'] },
  media: { needs: 'media_url', not: ['template', 'product', 'order'] },
  template: { needs: 'template', not: ['text', 'media_url', 'product', 'order', 'quick_reply'] },
  product: { needs: 'product', not: ['media_url', 'template', 'order', 'quick_reply'] },
  order: { needs: 'order', not: ['media_url', 'template', 'product', 'quick_reply'] },
} as const;

type ContentFields = Partial<
  Record<'type' | 'text' | 'media_url' | 'template' | 'product' | 'order' | 'quick_reply', unknown>
>;

/** The type that the fields ask for; undefined when they say nothing, or only a quick reply can tell. */
export function inferType(input: ContentFields): keyof typeof contents | undefined {
  for (const type of ['template', 'product', 'order', 'media'] as const) {
    if (input[contents[type].needs] !== undefined) return type;
  }
  return input.text !== undefined && input.quick_reply === undefined ? 'text' : undefined;
}

export const MessageSend = z.object(fields).superRefine((input, context) => {
  const refuse = (path: string, code: 'required' | 'not_allowed' | 'max', message: string) =>
    context.addIssue({ ...issue(code, message), path: [path] });
  if (input.conversation === undefined && input.contact === undefined)
    refuse('conversation', 'required', 'Give a conversation or a contact.');
  if (input.conversation !== undefined && input.contact !== undefined)
    refuse('contact', 'not_allowed', 'Give a conversation or a contact, not both.');
  const inferred = inferType(input);
  const type = input.type ?? inferred;
  if (type === undefined) {
    if (input.quick_reply === undefined)
      refuse('text', 'required', 'Give a text, or something else to send.');
    return;
  }
  const { needs, not } = contents[type];
  const expandable = input.quick_reply !== undefined && (type === 'text' || type === 'media');
  if (input[needs] === undefined && !expandable)
    refuse(needs, 'required', `Is required for a ${type} message.`);
  const conflict = not.find((name) => input[name] !== undefined);
  if (conflict !== undefined) {
    const asked = input.type !== undefined && inferred !== input.type;
    refuse(asked ? 'type' : conflict, 'not_allowed', `A ${type} message has no ${conflict}.`);
  }
  if (type === 'media' && [...(input.text ?? '')].length > captionMaximum)
    refuse('text', 'max', `A caption has at most ${captionMaximum} characters.`);
});
export type MessageSend = z.infer<typeof MessageSend>;

export const MessageBody = single(Message);
export const MessagePage = page(Message);
