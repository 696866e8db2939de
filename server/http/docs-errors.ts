import { detailHelp, errorHelp } from '../../schema/error-help.ts';
import { type DetailCode, type ErrorCode, errors } from '../../schema/errors.ts';
import { docsPage, escaped } from './docs-page.ts';

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
  return docsPage(
    'errors',
    'Errors',
    `<h1>Errors</h1>
<p>The same codes on REST, GraphQL and tRPC. Codes never change; messages may. A failure is <code>{error: {type, code, message, param, request_id}}</code>.</p>
${codes.join('\n')}
<section>
<h2>Codes of fields</h2>
<p>What stands in <code>error.details</code> of a 422, one entry for each field.</p>
<dl>${details.join('\n')}</dl>
</section>`,
  );
}

/** The same as Markdown. */
export function errorsMarkdown(): string {
  const codes = (Object.keys(errors) as ErrorCode[]).map(
    (code) =>
      `## ${code}\n\nHTTP ${errors[code].status} · ${errors[code].type} · ${errors[code].message}\n\n${errorHelp[code]}\n`,
  );
  const details = (Object.keys(detailHelp) as DetailCode[]).map(
    (code) => `- \`${code}\`: ${detailHelp[code]}`,
  );
  return `# Errors\n\nThe same codes on REST, GraphQL and tRPC. Codes never change; messages may.\n\n${codes.join('\n')}
## Codes of fields\n\nWhat stands in \`error.details\` of a 422, one entry for each field.\n\n${details.join('\n')}\n`;
}

function inHtml(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join('');
}
