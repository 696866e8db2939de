import { z } from 'zod';
import { EmailConfig, EmailCredentials } from '../../schema/email.ts';
import { invalidField } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { ChannelAdapter, Setup } from './adapter.ts';
import { normalAddress } from './email-address.ts';
import { sendEmail } from './email-send.ts';
import { takeLetter } from './email-webhook.ts';
import { checkImap, imapServerOf } from './imap.ts';
import { checkSmtp, SmtpError, smtpServerOf } from './smtp.ts';

/** Mail: out over SMTP, in over IMAP or the channel's webhook. What came in is read by `server/email`. */
export const email: ChannelAdapter = {
  kind: 'email',
  // Servers take the same Message-ID twice: an outcome that is not known is not tried again.
  capabilities: { reference: false, templates: false, media: true },
  patience: 60_000,
  readConfig: (config) => EmailConfig.parse(config),
  credentials: EmailCredentials,
  check,
  address: normalAddress,
  ownAddress: 'email',
  refusal: (_channel, { template }) =>
    template ? invalidField('template', 'not_allowed', 'E-mail has no templates.') : null,
  isMarketing: () => false,
  rehearse: () => null,
  send: sendEmail,
  receive: (payload) => z.never().parse(payload),
  webhook: takeLetter,
};

/** Whether the servers let us in. */
async function check(app: Services, setup: Setup, signal: AbortSignal): Promise<void> {
  const credentials = EmailCredentials.parse(setup.credentials);
  const smtp = smtpServerOf(app.config, credentials);
  if (!smtp) throw invalidField('credentials.smtp_host', 'required', 'Is required.');
  try {
    await checkSmtp(smtp, signal);
  } catch (error) {
    if (error instanceof SmtpError && error.locked)
      throw invalidField('credentials.smtp_password', 'not_allowed', 'The mail server does not accept it.');
    throw error;
  }
  const imap = imapServerOf(credentials);
  if (imap) await checkImap(imap, EmailConfig.parse(setup.config).mailbox);
}
