import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Config } from '../platform/config.ts';
import type { EmailCredentials } from '../../schema/email.ts';

/** A server that says nothing for so long is given up, in milliseconds. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** The server that an installation or a channel hands its mail to. */
export interface SmtpServer {
  host: string;
  port: number;
  /** `offered`: as soon as the server can. */
  encryption: 'tls' | 'starttls' | 'offered' | 'none';
  auth: { user: string; pass: string } | null;
}

/** What the server, or the way to it, had against a mail. */
export class SmtpError extends Error {
  /** Of the reply; null when there was none. */
  readonly status: number | null;
  /** Enhanced status code, such as `5.1.1`. */
  readonly detail: string | null;
  /** Whether it is our user and password that were refused. */
  readonly locked: boolean;
  /** All of the mail was handed over before: the server may have it. */
  readonly handedOver: boolean;

  constructor(cause: unknown, handedOver: boolean) {
    super(cause instanceof Error ? cause.message : 'The mail server failed.', { cause });
    this.name = 'SmtpError';
    const facts = (typeof cause === 'object' && cause !== null ? cause : {}) as Record<string, unknown>;
    this.status = typeof facts['responseCode'] === 'number' ? facts['responseCode'] : null;
    const response = typeof facts['response'] === 'string' ? facts['response'] : '';
    this.detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null;
    this.locked = facts['code'] === 'EAUTH' && !(this.status !== null && this.status < 500);
    this.handedOver = handedOver && this.status === null;
  }
}

/**
 * The channel's own server, else the installation's. Unlike the addresses of webhooks it may be in a private network:
 * it is named by who runs the house, and what it answers is shown to nobody else.
 */
export function smtpServerOf(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  given: EmailCredentials,
): SmtpServer | null {
  const { smtp_host: host, smtp_port: port, smtp_user: user, smtp_password: pass } = given;
  if (host !== undefined) {
    const encryption = given.smtp_encryption ?? (port === 465 ? 'tls' : 'starttls');
    return { host, port, encryption, auth: user === undefined ? null : { user, pass: pass ?? '' } };
  }
  if (smtpUrl === undefined) return null;
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    // A password is told to nobody in the open, unless it stays in this machine.
    encryption: secure ? 'tls' : local ? 'none' : url.username === '' ? 'offered' : 'starttls',
    auth:
      url.username === ''
        ? null
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  };
}

/** Whether the server lets us in. @throws SmtpError */
export async function checkSmtp(server: SmtpServer, signal: AbortSignal): Promise<void> {
  await withConnection(server, signal, async () => undefined);
}

interface Letter {
  from: string;
  to: string;
  /** Read only once the server asks for it. */
  content: Readable;
}

/**
 * Hands a mail over.
 * @returns the Message-ID that the server gave it, where it replaces ours and says so
 * @throws SmtpError
 */
export async function sendSmtp(
  server: SmtpServer,
  { from, to, content }: Letter,
  signal: AbortSignal,
): Promise<string | null> {
  let handedOver = false;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of content) yield chunk as Buffer;
    handedOver = true;
  }
  return withConnection(
    server,
    signal,
    (connection) =>
      new Promise<string | null>((resolve, reject) => {
        connection.send(
          { from, to: [to] },
          Readable.from(watched(), { objectMode: false }),
          (error, info) => {
            if (error) reject(error);
            else resolve(info.serverMessageId ?? null);
          },
        );
      }),
    () => handedOver,
  );
}

async function withConnection<T>(
  { host, port, encryption, auth }: SmtpServer,
  signal: AbortSignal,
  use: (connection: SMTPConnection) => Promise<T>,
  handedOver: () => boolean = () => false,
): Promise<T> {
  const connection = new SMTPConnection({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    opportunisticTLS: encryption === 'offered',
    ignoreTLS: encryption === 'none',
    ...timeouts,
  });
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  connection.on('error', broken.reject);
  const abort = () => {
    broken.reject(new Error('The mail server took too long.'));
    connection.close();
  };
  signal.addEventListener('abort', abort, { once: true });
  const within = <R>(work: Promise<R>) => Promise.race([work, broken.promise]);
  try {
    await within(
      new Promise<void>((resolve, reject) => {
        connection.connect((error) => (error ? reject(error) : resolve()));
      }),
    );
    if (auth)
      await within(
        new Promise<void>((resolve, reject) => {
          connection.login({ credentials: auth }, (error) => (error ? reject(error) : resolve()));
        }),
      );
    const result = await within(use(connection));
    connection.quit();
    return result;
  } catch (error) {
    connection.close();
    throw new SmtpError(error, handedOver());
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
