import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';
import { docsPage, escaped, type Guide, guides, writtenFor } from './docs-page.ts';
import { errorsDocument, errorsMarkdown } from './docs-errors.ts';

/** One guide as Markdown, with the address of this server in its examples. `url` has no slash at its end. */
export function guideMarkdown(projectDir: string, name: Guide, url: string): string {
  if (name === 'errors') return errorsMarkdown();
  const text = readFileSync(path.join(projectDir, 'docs', 'guides', `${name}.md`), 'utf8');
  return text
    .replaceAll(writtenFor, url)
    .replaceAll(writtenFor.replace('http', 'ws'), url.replace('http', 'ws'))
    .replaceAll(/^```(\w+).*$/gm, '```$1');
}

/** One guide as a page. */
export function guidePage(projectDir: string, name: Guide, url: string): string {
  if (name === 'errors') return errorsDocument();
  const title = guides.find(([one]) => one === name)?.[1] ?? name;
  return docsPage(name, title, html(guideMarkdown(projectDir, name, url)));
}

function html(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // What is wider than the page scrolls by itself, by keyboard too.
      code({ text, lang }) {
        return `<pre tabindex="0"><code${lang ? ` class="language-${escaped(lang)}"` : ''}>${escaped(text)}</code></pre>\n`;
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      // Files lead to files where they are read as such, pages to pages here.
      link({ href, tokens }) {
        const to = href.replace(/^([a-z-]+)\.md(?=#|$)/, '/docs/$1');
        return `<a href="${escaped(to)}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
