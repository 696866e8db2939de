import type { InboundMessage, StoredLetter } from '../channels/adapter.ts';
import { type Fetched, textWithout } from '../messages/inbound-media.ts';
import type { Attachment, Attachments } from './attachments.ts';
import { isAutomatic } from './automatic.ts';
import type { Letter, LetterHead } from './letter.ts';
import { trimReply } from './reply.ts';
import { cleanText } from './text.ts';

const textMaximum = 65_536;
/** Subjects of what somebody hands on: all of it is what they wanted to show. */
const handedOn = /^(?:fwd?|enc|wg|rv|tr|vb|vl|doorst|пересл|转发|轉寄)\s?[:：]/iu;

/** What a mail becomes: its words with the first file, and a message for each further file. */
export function messagesOf(
  letter: Letter,
  stored: StoredLetter,
  { all }: Pick<Attachments, 'all'>,
): { message: InboundMessage; fetched: Fetched | null }[] {
  const files = all.filter((one): one is Attachment & { file: object } => one.file !== null);
  const missing = all.filter(({ file }) => file === null);
  const body = cleanText(letter.text, textMaximum);
  const words = handedOn.test(letter.subject ?? '') ? body : trimReply(body);
  const text = missing.reduce(
    (so, { filename, mimeType }) =>
      textWithout(so, {
        reference: '',
        filename: filename === null ? null : cleanText(filename, 191),
        mimeType,
      }),
    words || (files.length + missing.length === 0 ? (letter.subject ?? '') : ''),
  );
  const providerId = providerIdOf(letter, stored);
  const about = {
    from: letter.from?.address ?? '',
    name: letter.from?.name ?? null,
    automatic: isAutomatic(letter),
    thread: letter.thread,
  };
  const extra = { subject: letter.subject, letter: stored.key, size: stored.size };
  const [first, ...more] = files;
  return [
    {
      message: { ...about, providerId, text, replyTo: letter.inReplyTo, extra, ...mediaOf(first) },
      fetched: first ? { file: first.file } : null,
    },
    ...more.map((file, index) => ({
      message: {
        ...about,
        // No Message-ID has a bracket before its end: this is nobody else's.
        providerId: `${providerId}#${index + 2}`,
        // Stands in the same thread as the words.
        thread: [providerId],
        text: '',
        replyTo: null,
        ...mediaOf(file),
      },
      fetched: { file: file.file },
    })),
  ];
}

function mediaOf(file: Attachment | undefined): Pick<InboundMessage, 'media'> {
  return file ? { media: { reference: '', mimeType: file.mimeType, filename: file.filename } } : {};
}

/** A mail without Message-ID is known by its bytes. */
export function providerIdOf({ messageId }: Pick<LetterHead, 'messageId'>, { sha256 }: StoredLetter): string {
  return messageId ?? `sha256:${sha256}`;
}
