import { z } from 'zod';
import { email, text } from './common.ts';

/** Settings of an e-mail channel, shown in the open. */
export const EmailConfig = z.object({
  /** What customers write to, and see as the sender. */
  address: email,
  /** Shown beside the address; the channel's name unless given. */
  from_name: text(191, 1).optional(),
  /** Of a thread that we begin; the company's name unless given. */
  subject: text(191, 1).optional(),
  /** The IMAP folder that is read. */
  mailbox: text(191, 1).default('INBOX'),
});
export type EmailConfig = z.infer<typeof EmailConfig>;

const host = z.string().trim().min(1).max(253);
const port = z.coerce.number().int().min(1).max(65_535);
const word = z.string().min(1).max(1_000);
/** `tls` from the first byte, `starttls` before anything is said, or `none`, as within one machine. */
const encryption = z.enum(['tls', 'starttls', 'none']);

/**
 * Where mail goes out (SMTP) and comes in: fetched over IMAP, or posted to the channel's webhook by whatever receives
 * it. Without `smtp_host` the installation's `SMTP_URL` is used; without a way in, the channel only sends.
 */
export const EmailCredentials = z.object({
  smtp_host: host.optional(),
  smtp_port: port.default(587),
  /** `tls` on port 465, else `starttls`, unless given. */
  smtp_encryption: encryption.optional(),
  smtp_user: word.optional(),
  smtp_password: word.optional(),
  imap_host: host.optional(),
  imap_port: port.default(993),
  /** `starttls` on port 143, else `tls`, unless given. */
  imap_encryption: encryption.optional(),
  imap_user: word.optional(),
  imap_password: word.optional(),
  /** Signs what is posted to the webhook, as `X-Service-Signature` of our own webhooks is made. */
  webhook_secret: z.string().min(16).max(1_000).optional(),
});
export type EmailCredentials = z.infer<typeof EmailCredentials>;
