import { messageIdsIn, ownIdIn } from '../channels/email-ids.ts';
import type { StatusReport } from '../channels/adapter.ts';
import { hasNullPath } from './automatic.ts';
import type { LetterHead } from './letter.ts';
import { cleanLine } from './text.ts';

/** A part that a report is made of, cut at 64 KiB. */
export interface ReportPart {
  contentType: string;
  content: string;
}

const reportTypes =
  /^(?:message\/(?:global-)?delivery-status|message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/;

/** Whether a part says what became of a mail, or which mail it was. */
export function isReportPart(contentType: string): boolean {
  return reportTypes.test(contentType);
}

/** Whether a mail server wrote it to tell what became of a mail (RFC 3464, and those that do it in their own way). */
export function isReport(head: Pick<LetterHead, 'header' | 'from'>): boolean {
  const type = head.header('content-type') ?? '';
  if (/^multipart\/report\b/i.test(type) && /report-type="?delivery-status/i.test(type)) return true;
  const daemon = /^(?:mailer-daemon|postmaster)@/i.test(head.from?.address ?? '');
  return head.header('x-failed-recipients') !== undefined && (daemon || hasNullPath(head));
}

/**
 * What a report says of a message of ours.
 * @returns null when it names none, or none has failed: it is late, or has been handed on
 */
export function readReport(
  head: Pick<LetterHead, 'header' | 'thread'>,
  text: string,
  parts: readonly ReportPart[],
  now: Date,
): StatusReport | null {
  const status = parts.find(({ contentType }) => contentType.endsWith('delivery-status'))?.content;
  if (status !== undefined && !/^action:\s*failed\b/im.test(status)) return null;
  const originals = parts.filter(({ contentType }) => !contentType.endsWith('delivery-status'));
  const named = [
    ...messageIdsIn(fieldIn(status ?? '', 'original-message-id') ?? ''),
    ...originals.flatMap(({ content }) => messageIdsIn(fieldIn(content, 'message-id') ?? '')),
    ...head.thread,
    // Some put the original into their own words.
    ...messageIdsIn(fieldIn(text, 'message-id') ?? ''),
  ];
  const providerId = named.find((id) => ownIdIn(id) !== null) ?? named[0];
  if (providerId === undefined) return null;
  const code = /^(\d\.\d{1,3}\.\d{1,3})/.exec(fieldIn(status ?? '', 'status') ?? '')?.[1] ?? null;
  const reason = fieldIn(status ?? '', 'diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '');
  return {
    providerId,
    reference: ownIdIn(providerId),
    status: 'failed',
    at: now,
    failure: {
      code: 'undeliverable',
      message: cleanLine(reason ?? '', 500) || 'The mail came back: it could not be delivered.',
      providerCode: code,
    },
  };
}

/** A field of a block of headers, its folded lines joined. */
function fieldIn(block: string, name: string): string | null {
  const lines = block.slice(0, 65_536).split(/\r?\n(?![ \t])/);
  const line = lines.find((one) => one.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line === undefined
    ? null
    : line
        .slice(name.length + 1)
        .replaceAll(/\r?\n[ \t]+/g, ' ')
        .trim();
}
