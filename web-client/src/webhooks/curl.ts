/** The request as a line for a shell, the same bytes. Its length is curl's own to say. */
export function curlOf(url: string, headers: Readonly<Record<string, string>>, body: string): string {
  const given = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return [
    `curl -X POST ${quoted(url)}`,
    ...given.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(body)}`,
  ].join(' \\\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
