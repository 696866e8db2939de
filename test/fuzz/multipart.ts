import fc from 'fast-check';
import { rarely } from './arbitraries.ts';
import { texts } from './hostile.ts';

const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89';
const contents = fc.constantFrom(
  '',
  'hello',
  'a,b\n1,2',
  png,
  '%PDF-1.4\n',
  '<svg/>',
  'GIF89a',
  '\0\0\0 ftypisom',
  'PK\x03\x04',
  'x'.repeat(70_000),
);
const names = fc.oneof(
  fc.constantFrom('a.txt', 'a.png', 'a.csv', '../a.pdf', 'a.svg'),
  fc.constantFrom(...texts.map(quotable)),
);
const types = fc.constantFrom(
  'text/plain',
  'image/png',
  'text/csv',
  'application/pdf',
  'image/svg+xml',
  'nonsense',
  '',
);
const fields = fc.constantFrom('file', 'file', 'file', 'filename', 'kind', '', '__proto__', 'other');
const part: fc.Arbitrary<Part> = fc.record({ field: fields, name: names, type: types, content: contents });
const good: fc.Arbitrary<Part[]> = fc
  .record({ name: names, type: fc.constantFrom('text/plain', 'text/csv', 'image/png'), content: contents })
  .map((one) => [{ field: 'file', ...one }]);

/** Forms with a file, whole and broken. */
export const multipart: fc.Arbitrary<{ text: string; type: string }> = fc
  .record({
    parts: fc.oneof({ weight: 3, arbitrary: good }, fc.array(part, { maxLength: 11 })),
    boundary: fc.constantFrom('xyz', 'xyz', 'xyz', '"xyz"', 'other', ''),
    end: fc.constantFrom('--xyz--\r\n', '--xyz--\r\n', '--xyz--\r\n', '', '--xyz\r\n', '--xyz-'),
    cut: rarely(8, fc.nat(400)),
  })
  .map(({ parts, boundary, end, cut }) => {
    const whole = `${parts.map(written).join('')}${end}`;
    return { text: whole.slice(0, cut), type: `multipart/form-data; boundary=${boundary}` };
  });

interface Part {
  field: string;
  name: string;
  type: string;
  content: string;
}

function written({ field, name, type, content }: Part): string {
  const disposition = `Content-Disposition: form-data; name="${field}"; filename="${name}"`;
  return `--xyz\r\n${disposition}\r\n${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
}

function quotable(text: string): string {
  return text.replaceAll(/["\r\n]/g, '').slice(0, 300);
}
