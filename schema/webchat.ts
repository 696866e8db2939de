import { z } from 'zod';
import { email, issue, pathId, text } from './common.ts';
import { textMaximum } from './messages.ts';

const MiB = 1024 * 1024;

/** Languages that the widget speaks. */
export const webchatLocales = ['en', 'pt', 'es', 'fr', 'de', 'ar'] as const;
export type WebchatLocale = (typeof webchatLocales)[number];

/** Everything the widget says, by key. `{…}` is filled in. */
export const webchatTextKeys = [
  'title',
  'greeting',
  'open',
  'close',
  'log',
  'placeholder',
  'send',
  'attach',
  'you',
  'team',
  'assistant',
  'typing',
  'connecting',
  'offline',
  'sending',
  'sent',
  'seen',
  'failed',
  'retry',
  'unread',
  'older',
  'introduction',
  'name',
  'email',
  'optional',
  'start',
  'nameMissing',
  'emailMissing',
  'tooLarge',
  'unsupported',
  'tooMany',
  'uploading',
  'newTab',
  'remove',
] as const;
export type WebchatTextKey = (typeof webchatTextKeys)[number];

const texts = z.partialRecord(z.enum(webchatTextKeys), text(500, 1));

/** An origin such as `https://shop.example`, one with `*.` for all its subdomains, or `*` for any page at all. */
const origin = text(255, 1).superRefine((value, context) => {
  if (value === '*') return;
  const probe = value.replace('://*.', '://any.');
  const right =
    URL.canParse(probe) && /^https?:$/.test(new URL(probe).protocol) && new URL(probe).origin === probe;
  if (!right) context.addIssue(issue('format', 'Must be an origin such as https://shop.example.'));
});

const asked = z.enum(['off', 'optional', 'required']).default('off');

/** Settings of a webchat channel. */
export const WebchatConfig = z.object({
  /** In the head of the window; a text of the visitor's language unless given. */
  title: text(60, 1).optional(),
  /** First thing in the window; a text of the visitor's language unless given. */
  greeting: text(500, 1).optional(),
  /** Of the launcher, the head and the visitor's own messages. */
  color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .default('#1D4ED8'),
  /** The corner that the launcher sits in. */
  position: z.enum(['right', 'left']).default('right'),
  /** Pages that may show the widget. None: only our own. */
  allowed_origins: z.array(origin).max(50).default([]),
  /** What is asked for before the chat begins. */
  ask_name: asked,
  ask_email: asked,
  /** Whether visitors may send files, and the largest in bytes. */
  files: z.boolean().default(true),
  max_file_bytes: z
    .int()
    .min(1)
    .max(100 * MiB)
    .default(10 * MiB),
  /** The widget's language; `auto` follows the page, then the browser. */
  locale: z.enum(['auto', ...webchatLocales]).default('auto'),
  /** Own wording, by language. */
  texts: z.partialRecord(z.enum(webchatLocales), texts).default({}),
  /** Raising it makes a new secret for identity verification; the old one ends at once. */
  identity_version: z.int().min(1).max(1_000_000).default(1),
});
export type WebchatConfig = z.infer<typeof WebchatConfig>;

/** Whom the page's own server says is writing. */
const WebchatUser = z.object({
  /** The page's own id of its user. */
  id: text(191, 1),
  email: email.optional(),
  name: text(191, 1).optional(),
  /** Hex HMAC-SHA256 of id, newline and e-mail (or nothing), keyed with the channel's identity secret. */
  hash: text(64, 64),
});

/** What starts or renews a visitor's session. */
export const WebchatStart = z.object({
  /** The session so far; one that has run out starts anew. */
  token: text(4096, 1).optional(),
  name: text(191, 1).optional(),
  email: email.optional(),
  user: WebchatUser.optional(),
});
export type WebchatStart = z.infer<typeof WebchatStart>;

/** A message of a visitor. The same client id again is the same message. */
export const WebchatSend = z
  .object({
    client_id: text(64, 8),
    text: text(textMaximum).optional(),
    /** URL that the upload returned. */
    media_url: text(2048, 1).optional(),
  })
  .superRefine((value, context) => {
    if (value.media_url === undefined && !value.text?.trim())
      context.addIssue({ ...issue('required', 'Must not be empty.'), path: ['text'] });
  });
export type WebchatSend = z.infer<typeof WebchatSend>;

export const WebchatHistory = z.object({
  first: z.int().min(1).max(100).optional(),
  /** Messages before the one with this id. */
  before: text(26, 1).optional(),
});

export const WebchatMark = z.object({ message: text(26, 1) });
export const WebchatTyping = z.object({ typing: z.boolean() });

/** What an admin needs to put the widget on a page. */
export const WebchatSettings = z.strictObject({
  channel: z.string(),
  /** Goes into the page. */
  snippet: z.string(),
  /** Signs who a visitor is, on the page's own server. Never goes into the page. */
  identity_secret: z.string(),
  /** What the page's Content-Security-Policy must allow. */
  csp: z.record(z.string(), z.string()),
});
export type WebchatSettings = z.infer<typeof WebchatSettings>;
export const WebchatSettingsBody = z.strictObject({ data: WebchatSettings });
export const WebchatPath = z.object({ channel: pathId });
