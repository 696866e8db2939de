import type { ImapFlow } from 'imapflow';
import type { EmailCredentials } from '../../schema/email.ts';
import { invalidField } from '../platform/errors.ts';

/** Where a channel's mail is fetched; in a private network it may be too, as the server that mail is sent by. */
export interface ImapServer {
  host: string;
  port: number;
  encryption: 'tls' | 'starttls' | 'none';
  auth: { user: string; pass: string };
}

/** Null for a channel whose mail is not fetched. */
export function imapServerOf(given: EmailCredentials): ImapServer | null {
  const { imap_host: host, imap_port: port, imap_user: user = given.smtp_user } = given;
  if (host === undefined || user === undefined) return null;
  const pass = given.imap_password ?? given.smtp_password ?? '';
  const encryption = given.imap_encryption ?? (port === 143 ? 'starttls' : 'tls');
  return { host, port, encryption, auth: { user, pass } };
}

/** A connection that is not made yet; it follows what happens in the mailbox when nothing else is asked. */
export async function imapClient({ host, port, encryption, auth }: ImapServer): Promise<ImapFlow> {
  // Loaded by those who fetch mail.
  const { ImapFlow } = await import('imapflow');
  return new ImapFlow({
    host,
    port,
    secure: encryption === 'tls',
    doSTARTTLS: encryption === 'starttls',
    auth,
    logger: false,
    autoIdleDelay: 500,
    maxIdleTime: 4 * 60_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    maxLineLength: 1024 * 1024,
  });
}

/** Whether the server refused user and password, rather than being out of reach. */
export function isLockedOut(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'authenticationFailed') === true;
}

/** Whether the server lets us into the mailbox. @throws AppError `validation_failed` that names what it refuses */
export async function checkImap(server: ImapServer, mailbox: string): Promise<void> {
  const client = await imapClient(server);
  // Connecting rejects; what comes afterwards closes the connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.mailboxOpen(mailbox, { readOnly: true }).catch(() => {
      throw invalidField('config.mailbox', 'unknown_id', 'The mail server has no such folder.');
    });
    await client.logout();
  } catch (error) {
    if (isLockedOut(error))
      throw invalidField('credentials.imap_password', 'not_allowed', 'The mail server does not accept it.');
    throw error;
  } finally {
    client.close();
  }
}
