import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file of the built dashboard, by the source it was made of: Vite's manifest. */
type Manifest = Readonly<
  Record<string, { file: string; imports?: readonly string[]; css?: readonly string[] } | undefined>
>;

/** The last manifest that was read: it changes when the dashboard is built anew. */
let known: { file: string; changed: number; manifest: Manifest } | undefined;

/**
 * Links to what a page will ask for once its first script runs, so that a browser fetches it beside that script
 * instead of after it.
 * @param folder where the dashboard was built
 * @param asked path of the page, such as `/inbox` or `/contacts/01J…`
 * @returns HTML for the head, '' for a path without a page of its own, and where none is built
 */
export async function pageFiles(folder: string, asked: string): Promise<string> {
  const manifest = await readManifest(path.join(folder, '.vite', 'manifest.json'));
  const files = new Set<string>();
  const follow = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const needed of chunk.imports ?? []) follow(needed);
  };
  // What the page names itself is not named twice.
  follow('index.html');
  const named = new Set(files);
  for (const source of sourcesOf(asked)) follow(source);
  return [...files]
    .filter((file) => !named.has(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
    .join('');
}

/** Where the page of a path stands, as all of them do: `contacts/contacts-page.tsx` and `contacts/contact-page.tsx`. */
function sourcesOf(asked: string): string[] {
  const [, list = '', record] = asked.split('/', 3);
  if (record === undefined || record === '') return [`src/${list}/${list}-page.tsx`];
  const one = list.replace(/s$/, '');
  return [`src/${list}/${one}-page.tsx`, `src/${one}/${one}-page.tsx`];
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    const { mtimeMs: changed } = await stat(file);
    if (known?.file !== file || known.changed !== changed)
      known = { file, changed, manifest: JSON.parse(await readFile(file, 'utf8')) as Manifest };
    return known.manifest;
  } catch {
    return {};
  }
}
