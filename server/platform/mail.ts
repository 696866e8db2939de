import { newId } from './ids.ts';
import type { JobData } from './jobs.ts';
import { open, seal } from './encryption.ts';
import type { Services } from './services.ts';

interface Mail {
  to: string;
  subject: string;
  text: string;
}

type Secrets = Pick<Services, 'config'>;

/** The job that sends a mail; enqueue it in the transaction of what it tells. */
export function mailJob({ config }: Secrets, { to, subject, text }: Mail): JobData['mail.send'] {
  const id = newId();
  const sealed = Buffer.from(seal(config.secrets.derive('mail'), text, id)).toString('base64');
  return { id, to, subject, sealed };
}

/** How long the mail server may take, in milliseconds. */
const patience = 15_000;

/** Sends a mail; without SMTP_URL its text goes to the log, for whoever runs the server to pass on. */
export async function sendMail(
  app: Services,
  { id, to, subject, sealed }: JobData['mail.send'],
): Promise<void> {
  const { config } = app;
  const text = open(config.secrets.derive('mail'), Buffer.from(sealed, 'base64'), id);
  if (config.smtpUrl === undefined) {
    app.log.warn({ to, subject, text }, 'Not sent: there is no SMTP_URL.');
    return;
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: config.smtpUrl,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { hostname } = new URL(app.publicUrl());
    const from = config.mailFrom ?? `Parlour <no-reply@${hostname}>`;
    await transport.sendMail({ from, to, subject, text, messageId: `<${id}@${hostname}>` });
  } finally {
    transport.close();
  }
}
