import { convert, type HtmlToTextOptions } from 'html-to-text';

/** In characters: the rest of longer markup is not looked at. */
const maximum = 500_000;
/** Tags; to lay out more of them takes seconds, so that nothing but their words is taken. */
const maximumTags = 15_000;
const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 200, ellipsis: '' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    { selector: 'table', options: { uppercaseHeaderCells: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

/** Markup as text. Nothing in it is run, and no address in it is called. */
export function textOfHtml(html: string): string {
  const source = html.slice(0, maximum);
  const words = () => source.replaceAll(/<[^<>]*>/g, ' ');
  if (source.split('<', maximumTags).length === maximumTags) return words();
  try {
    return convert(source, options).replaceAll('\u00a0', ' ');
  } catch {
    // Nested beyond what can be walked.
    return words();
  }
}
