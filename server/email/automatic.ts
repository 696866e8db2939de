import type { LetterHead } from './letter.ts';

/**
 * Whether a machine wrote it, or it went to many: nothing answers it by itself, so that two machines never write to each
 * other. RFC 3834, and what lists and other mail programs say.
 */
export function isAutomatic({ header }: Pick<LetterHead, 'header'>): boolean {
  const submitted = header('auto-submitted');
  return (
    (submitted !== undefined && !/^no\b/i.test(submitted)) ||
    /^(?:bulk|junk|list|auto_reply)\b/i.test(header('precedence') ?? '') ||
    header('x-auto-response-suppress') !== undefined ||
    header('x-autoreply') !== undefined ||
    header('x-autorespond') !== undefined ||
    header('list-id') !== undefined ||
    header('list-unsubscribe') !== undefined ||
    hasNullPath({ header })
  );
}

/** Whether nobody may answer it: reports of mail servers come that way. */
export function hasNullPath({ header }: Pick<LetterHead, 'header'>): boolean {
  return /^<\s*>/.test(header('return-path') ?? '');
}
