/** The guides in order: the names of their files in docs/guides, and of their pages under /docs. */
export const guides = [
  ['quick-start', 'Quick start'],
  ['authentication', 'Authentication and scopes'],
  ['errors', 'Errors'],
  ['pagination', 'Pagination'],
  ['idempotency', 'Idempotency'],
  ['limits', 'Limits'],
  ['test-mode', 'Test mode'],
  ['webhooks', 'Webhooks'],
  ['realtime', 'Realtime'],
  ['sdk', 'TypeScript client'],
  ['self-hosting', 'Self-hosting'],
  ['upgrading', 'Upgrading'],
  ['privacy', 'Privacy'],
  ['accessibility', 'Accessibility'],
  ['changelog', 'Changelog'],
] as const;

/** Where papers say that Parlour is; what is served says where it really is. */
export const writtenFor = 'http://127.0.0.1:4000';

export type Guide = (typeof guides)[number][0];

/** A page of the documentation around its text. Style is a file: the policy allows none in the page. */
export function docsPage(name: Guide, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escaped(title)} · Parlour</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/docs/plain.css" />
<link rel="alternate" type="text/markdown" href="/docs/${name}.md" />
</head>
<body class="guide">
<a class="skip" href="#text">Skip to the text</a>
${docsNavigation(name)}
<main id="text">
${body}
</main>
</body>
</html>
`;
}

/** Links to all pages; the one that is shown is marked. */
export function docsNavigation(current: Guide | null): string {
  const entries = [[null, 'API reference'] as const, ...guides].map(([name, title]) => {
    const here = name === current ? ' aria-current="page"' : '';
    return `<li><a href="/docs${name === null ? '' : `/${name}`}"${here}>${title}</a></li>`;
  });
  return `<nav class="guides" aria-label="Documentation"><ul>${entries.join('')}</ul></nav>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The navigation stands above the reference too, whose own styles it must not touch. */
export const docsStyle = `:root { color-scheme: light dark; }
body.guide { margin: 0; font: 1rem/1.6 system-ui, sans-serif; background: light-dark(#fff, #15181c); color: light-dark(#1b1f24, #e6e9ed); }
body.guide main { box-sizing: border-box; max-width: 50rem; margin: 0 auto; padding: 1rem 1rem 4rem; overflow-wrap: break-word; }
nav.guides { font: 0.9375rem/1.5 system-ui, sans-serif; background: light-dark(#f4f6f8, #1d2126); border-block-end: 1px solid light-dark(#d9dee4, #343a41); }
nav.guides ul { display: flex; flex-wrap: wrap; gap: 0 1rem; max-width: 72rem; margin: 0 auto; padding: 0.5rem 1rem; list-style: none; }
nav.guides a { display: inline-block; padding-block: 0.25rem; color: light-dark(#0b5cad, #7db4ea); }
nav.guides a[aria-current] { color: light-dark(#1b1f24, #e6e9ed); font-weight: 600; text-decoration: none; }
a.skip { position: absolute; inset-inline-start: -999rem; }
a.skip:focus { inset-inline-start: 1rem; inset-block-start: 0.5rem; padding: 0.5rem; background: light-dark(#fff, #15181c); }
.guide section { padding: 0.5rem 0 1rem; border-bottom: 1px solid light-dark(#d9dee4, #343a41); }
.guide section:target { background: light-dark(#eef1f4, #22272d); }
.guide section h2 { margin-bottom: 0; }
.guide .facts { margin-top: 0.25rem; color: light-dark(#4f5864, #a9b2bd); }
.guide code { font: 0.9375em ui-monospace, monospace; overflow-wrap: anywhere; }
.guide pre { padding: 0.75rem 1rem; overflow-x: auto; background: light-dark(#f4f6f8, #1d2126); border: 1px solid light-dark(#d9dee4, #343a41); border-radius: 0.375rem; }
.guide pre code { overflow-wrap: normal; }
.guide .wide { overflow-x: auto; }
.guide table { border-collapse: collapse; }
.guide th, .guide td { padding: 0.375rem 0.75rem; border: 1px solid light-dark(#d9dee4, #343a41); text-align: start; vertical-align: top; }
.guide main a { color: light-dark(#0b5cad, #7db4ea); }
.guide dt { margin-top: 0.75rem; }
:focus-visible { outline: 2px solid light-dark(#0b5cad, #7db4ea); outline-offset: 2px; }
`;
