import { Fragment } from 'react';

const link = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/gi;

/** What somebody wrote: text, whatever it looks like, with its web addresses as links. */
export function RichText({ text }: { text: string }) {
  const parts: { text: string; href?: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(link)) {
    parts.push({ text: text.slice(end, match.index) });
    const [found] = match;
    parts.push(URL.canParse(found) ? { text: found, href: found } : { text: found });
    end = match.index + found.length;
  }
  parts.push({ text: text.slice(end) });
  return (
    <p className="thread-text wrapped" dir="auto">
      {parts.map((part, n) =>
        part.href === undefined ? (
          <Fragment key={n}>{part.text}</Fragment>
        ) : (
          <a key={n} href={part.href} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        ),
      )}
    </p>
  );
}
