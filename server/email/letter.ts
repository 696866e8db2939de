import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type AttachmentStream, MailParser, type MessageText, parseAddressHeader } from 'mailparser';
import { messageIdsIn } from '../channels/email-ids.ts';
import { BrokenLetter } from './broken-letter.ts';
import { textOfHtml } from './html.ts';
import { cleanLine } from './text.ts';

/** Who wrote: one address, with the name that stands beside it. */
export interface Sender {
  address: string;
  name: string | null;
}

/** The headers of a mail, as far as they matter. */
export interface LetterHead {
  from: Sender | null;
  subject: string | null;
  messageId: string | null;
  /** Message-IDs of the mails that it answers, nearest first. */
  thread: string[];
  inReplyTo: string | null;
  /** Decoded, by name in lower case; of a repeated one the first. */
  header(name: string): string | undefined;
}

export interface Letter extends LetterHead {
  text: string;
}

/** Of headers in bytes, and of parts in number: whatever has more is no mail. */
const limits = { head: 256 * 1024, parts: 500 };
const threadLength = 20;

/**
 * Reads a mail as it comes. Parts that are no text are given to `take` one after the other; what it leaves unread is
 * thrown away. Nothing is unpacked, and no address in it is ever called.
 * @throws BrokenLetter for what is no mail; the errors of `take` and of the source as they are
 */
export async function readLetter(
  source: Readable,
  take: (part: AttachmentStream, head: LetterHead) => Promise<void>,
): Promise<Letter> {
  const parser = new MailParser({
    skipImageLinks: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    keepDeliveryStatus: true,
    ignoreEmbedded: true,
    checksumAlgo: false,
    skipHtmlToText: true,
    maxHeadSize: limits.head,
    maxChildNodes: limits.parts,
  });
  let head: LetterHead | null = null;
  let text = '';
  let failure: { error: unknown } | null = null;
  const fail = (error: unknown) => {
    failure ??= { error };
    source.destroy();
    parser.destroy();
  };
  parser.on('headerLines', (lines) => {
    head ??= headOf(lines, parser.subject);
  });
  parser.on('data', (data: AttachmentStream | MessageText) => {
    if (data.type === 'text') {
      text = data.text?.trim() ? data.text : textOfHtml(data.html ?? '');
      return;
    }
    const handle = async () => {
      try {
        await take(data, head ?? headOf([]));
      } finally {
        data.content.resume();
      }
      await finished(data.content, { writable: false }).catch(() => undefined);
      data.release?.();
    };
    handle().catch(fail);
  });
  source.on('error', fail);
  source.pipe(parser);
  try {
    await finished(parser);
  } catch (error) {
    // Read again: it is set from elsewhere.
    const own = failure as { error: unknown } | null;
    if (own) throw own.error;
    source.destroy();
    throw new BrokenLetter(head, error);
  }
  if (!head) throw new BrokenLetter(null, undefined);
  return { ...(head as LetterHead), text };
}

type HeaderLines = readonly { key: string; line: string }[];

function headOf(lines: HeaderLines, subject?: string): LetterHead {
  const raw = (name: string) => {
    const bytes = lines.find(({ key }) => key === name)?.line;
    const line = bytes === undefined ? undefined : inUtf8(bytes);
    return line
      ?.slice(line.indexOf(':') + 1)
      .replaceAll(/\r?\n(?=[ \t])/g, '')
      .trim();
  };
  const [messageId = null] = messageIdsIn(raw('message-id') ?? '');
  const [inReplyTo = null] = messageIdsIn(raw('in-reply-to') ?? '');
  const references = messageIdsIn(raw('references') ?? '').reverse();
  const thread = [...new Set(inReplyTo === null ? references : [inReplyTo, ...references])];
  return {
    from: senderIn(raw('from')) ?? senderIn(raw('sender')),
    subject: subject === undefined ? null : cleanLine(subject, 500) || null,
    messageId,
    inReplyTo,
    thread: thread.slice(0, threadLength),
    header: raw,
  };
}

/** A line whose bytes stand for letters of UTF-8 (RFC 6532), as its letters; one that does not, as it is. */
function inUtf8(bytes: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}

/** The first address; of a group, its first member. */
function senderIn(header: string | undefined): Sender | null {
  if (header === undefined) return null;
  const { value } = parseAddressHeader(header.slice(0, 10_000), { flatten: true, decodePunycode: false });
  const found = value.find(({ address }) => address !== undefined && address !== '');
  return found?.address === undefined
    ? null
    : { address: found.address, name: cleanLine(found.name, 191) || null };
}
