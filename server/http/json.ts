import { AppError } from '../platform/errors.ts';

const maximumDepth = 32;
const maximumValues = 10_000;

/**
 * Reads a JSON body. Stricter than JSON.parse where two readers could disagree or be worn out:
 * UTF-8 only, no duplicate keys, at most 32 levels and 10,000 values.
 * @throws AppError `bad_request`
 */
export function parseJson(bytes: Uint8Array): unknown {
  let source: string;
  let value: unknown;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(source);
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON in UTF-8.');
  }
  inspect(source);
  return value;
}

/** Walks the text of a valid JSON document once. */
function inspect(source: string): void {
  const keys: (Set<string> | null)[] = [];
  let values = 0;
  for (let at = 0; at < source.length; at++) {
    switch (source[at]) {
      case '{':
      case '[':
        keys.push(source[at] === '{' ? new Set() : null);
        if (keys.length > maximumDepth)
          throw new AppError('bad_request', `The body is nested over ${maximumDepth} levels.`);
        break;
      case '}':
      case ']':
        keys.pop();
        break;
      case ',':
        if (++values > maximumValues)
          throw new AppError('bad_request', `The body has over ${maximumValues} values.`);
        break;
      case '"': {
        const end = endOfString(source, at);
        const seen = keys.at(-1);
        if (seen && isKey(source, end)) remember(seen, source.slice(at, end + 1));
        at = end;
        break;
      }
      default:
    }
  }
}

function remember(seen: Set<string>, quoted: string): void {
  const key = String(JSON.parse(quoted));
  if (seen.has(key)) throw new AppError('bad_request', 'The body has a key twice.');
  seen.add(key);
}

function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1;
  return at;
}

function isKey(source: string, end: number): boolean {
  let at = end + 1;
  while (source[at] === ' ' || source[at] === '\n' || source[at] === '\r' || source[at] === '\t') at++;
  return source[at] === ':';
}
