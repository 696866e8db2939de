import { Readable } from 'node:stream';
import type { MailComposerOptions } from 'nodemailer/lib/mail-composer';
import { EmailConfig, EmailCredentials } from '../../schema/email.ts';
import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import type { ChannelRef, Failure, OutboundMessage, SendResult } from './adapter.ts';
import { credentialsOf } from './credentials.ts';
import { messageIdOf } from './email-ids.ts';
import { type Place, placeOf } from './email-thread.ts';
import { markFailing } from './failing.ts';
import { sendSmtp, SmtpError, smtpServerOf } from './smtp.ts';

/** Seconds until the next attempt: servers that greylist take a mail some minutes after they first refused it. */
const delays = [5, 60, 300, 900];

/** Sends one message as a mail. @throws Error when it is not known whether the server took it */
export async function sendEmail(
  app: Services,
  channel: ChannelRef,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const config = EmailConfig.parse(channel.config);
  const server = smtpServerOf(app.config, credentialsOf(app, channel, EmailCredentials));
  if (!server) return { outcome: 'refused', failure: failed('The channel has no mail server.') };
  const messageId = messageIdOf(message.id, config.address);
  const place = await placeOf(app, channel, message, config.subject);
  const file = await attachmentOf(app, channel, message);
  if (file === 'gone') return { outcome: 'refused', failure: failed('The file is no longer there.') };
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const letter = new MailComposer({
    from: { name: config.from_name ?? channel.name, address: config.address },
    to: { name: '', address: message.to },
    messageId,
    ...bodyOf(message),
    ...headersOf(message, place, config.address),
    ...(file ? { attachments: [file] } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const content = letter.compile().createReadStream();
    const given = await sendSmtp(server, { from: config.address, to: message.to, content }, signal);
    return { outcome: 'accepted', providerId: given ?? messageId };
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error;
    // All of it was sent, and no answer came.
    if (error.handedOver) throw error;
    return refusalOf(app, channel, message, error);
  }
}

async function refusalOf(
  app: Services,
  channel: ChannelRef,
  { attempt }: OutboundMessage,
  error: SmtpError,
): Promise<SendResult> {
  const { status, locked, message } = error;
  if (locked) {
    await markFailing(app, channel, 'The mail server does not accept user and password.');
    return { outcome: 'refused', failure: failureOf(error) };
  }
  if (status !== null && status >= 500) return { outcome: 'refused', failure: failureOf(error) };
  app.log.info({ reason: message, channel: channel.kind }, 'mail not taken yet');
  return { outcome: 'later', seconds: delays[attempt - 1] ?? 900 };
}

/** A recipient that the server doesn't know, unless it says that it refuses what is written or who writes. */
function failureOf({ status, detail, message }: SmtpError): Failure {
  const unknown = (status === 550 || status === 551 || status === 553) && !detail?.startsWith('5.7.');
  return {
    code: unknown ? 'undeliverable' : 'provider_error',
    message: message.slice(0, 500),
    providerCode: detail ?? (status === null ? null : String(status)),
  };
}

function failed(message: string): Failure {
  return { code: 'provider_error', message, providerCode: null };
}

function bodyOf({ text }: OutboundMessage): Pick<MailComposerOptions, 'text' | 'html'> {
  return text === null ? { text: '' } : { text, html: htmlOf(text) };
}

/** The words as they are; nothing in them is markup. */
function htmlOf(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return `<div>${escaped.replaceAll(/\r?\n/g, '<br>\n')}</div>`;
}

/** What a machine wrote says so (RFC 3834), and asks for no out-of-office notes. */
function headersOf(
  { authorType }: OutboundMessage,
  { subject, inReplyTo, references }: Place,
  address: string,
) {
  const automatic = authorType === 'automation' || authorType === 'campaign';
  const headers = {
    ...(automatic
      ? { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }
      : {}),
    ...(authorType === 'ai' ? { 'Auto-Submitted': 'auto-replied' } : {}),
    // Whoever is tired of it writes the word that ends it.
    ...(authorType === 'campaign'
      ? { Precedence: 'bulk', 'List-Unsubscribe': `<mailto:${address}?subject=STOP>` }
      : {}),
  };
  return { subject, ...(inReplyTo === null ? {} : { inReplyTo, references }), headers };
}

async function attachmentOf(app: Services, { companyId }: ChannelRef, { media }: OutboundMessage) {
  if (!media) return null;
  const row = await inTenant(companyId, () =>
    app.prisma.media.findUnique({
      where: { companyId_id: { companyId, id: media.id } },
      select: { storageKey: true },
    }),
  );
  if (!row) return 'gone';
  const { storageKey } = row;
  // Opened only when the server asks for the mail.
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of await app.storage.open(storageKey)) yield chunk as Buffer;
  }
  return {
    filename: media.filename,
    contentType: media.mimeType,
    content: Readable.from(bytes(), { objectMode: false }),
  };
}
