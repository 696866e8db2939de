import { detailHelp, errorHelp } from '../../schema/error-help.ts';
import { type DetailCode, type ErrorCode, errors } from '../../schema/errors.ts';

/** The page about one code; answers that refuse something lead to it. */
export function errorLink(code: ErrorCode): string {
  return `</docs/errors#${code}>; rel="help"`;
}

/** Every code of the table of errors, each with an anchor: `/docs/errors`. */
export function errorsDocument(): string {
  const codes = (Object.keys(errors) as ErrorCode[]).map(
    (code) => `<section id="${code}">
<h2><code>${code}</code></h2>
<p class="facts">HTTP ${errors[code].status} · ${errors[code].type} · ${escaped(errors[code].message)}</p>
<p>${inHtml(errorHelp[code])}</p>
</section>`,
  );
  const details = (Object.keys(detailHelp) as DetailCode[]).map(
    (code) => `<dt id="detail-${code}"><code>${code}</code></dt><dd>${inHtml(detailHelp[code])}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Errors · Parlour API</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="/docs/plain.css" />
</head>
<body>
<main>
<h1>Errors</h1>
<p>The same codes on REST, GraphQL and tRPC. Codes never change; messages may. See also the <a href="/docs">reference</a>.</p>
${codes.join('\n')}
<section>
<h2>Codes of fields</h2>
<p>What stands in <code>error.details</code> of a 422, one entry for each field.</p>
<dl>${details.join('\n')}</dl>
</section>
</main>
</body>
</html>
`;
}

export const plainStyle = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; background: light-dark(#fff, #15181c); color: light-dark(#1b1f24, #e6e9ed); }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
section { padding: 0.5rem 0 1rem; border-bottom: 1px solid light-dark(#d9dee4, #343a41); }
section:target { background: light-dark(#eef1f4, #22272d); }
h2 { margin-bottom: 0; }
.facts { margin-top: 0.25rem; color: light-dark(#4f5864, #a9b2bd); }
code { font: 0.9375em ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: light-dark(#0b5cad, #7db4ea); }
dt { margin-top: 0.75rem; }
`;

function inHtml(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
