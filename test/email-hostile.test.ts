import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { arrived, file, letter, messagesOf, mixed, post, shop, useEmail } from './support/email.ts';

const email = useEmail();
const words = (text: string) => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`;
const nested = (depth: number): string => {
  let part = 'Content-Type: text/plain\r\n\r\nDeep inside';
  for (let n = 0; n < depth; n++)
    part = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${part}\r\n--b${n}--`;
  return letter('', { 'Content-Type': null }).replace(/\r\n\r\n$/, `\r\n${part}\r\n`);
};
const latin = (text: string) => Buffer.from(text, 'latin1');

/** What is made of a mail: the text of its message, or null where it is none. */
const mails: [what: string, raw: () => string | Buffer, text: string | RegExp | null, more?: object][] = [
  [
    'base64 that is cut off',
    () => letter('SGVsbG8gd29y', { 'Content-Transfer-Encoding': 'base64' }).slice(0, -1),
    /^Hello/,
  ],
  [
    'base64 that is none',
    () => letter('%%%%%', { 'Content-Transfer-Encoding': 'base64' }),
    'Where is my order?',
  ],
  ['a header of 10 MB', () => letter('Lost', { 'X-Long': 'x'.repeat(10_000_000) }), null],
  [
    '100,000 headers',
    () => letter('Lost', {}).replace('Date:', `${'X-A: b\r\n'.repeat(100_000)}Date:`),
    null,
  ],
  ['40 parts within each other', () => nested(40), 'Deep inside'],
  ['2,000 parts within each other', () => nested(2_000), '[The mail can’t be read]'],
  ['2,000 parts', () => mixed(Array.from({ length: 2_000 }, () => words('x'))), '[The mail can’t be read]'],
  [
    'a charset that is not the text’s',
    () => letter('Ol\u00e1', { 'Content-Type': 'text/plain; charset=us-ascii' }),
    /^Ol/,
  ],
  [
    'a charset that nobody knows',
    () => letter('Hello', { 'Content-Type': 'text/plain; charset=x-klingon' }),
    'Hello',
  ],
  [
    'letters of Latin-1 in headers and text',
    () =>
      latin(
        letter('Até já', {
          'Content-Type': 'text/plain; charset=iso-8859-1',
          From: 'João <joao@example.org>',
        }),
      ),
    'Até já',
    { author: { name: 'João' } },
  ],
  [
    'line ends in a name',
    () => letter('Named', { From: '"=?utf-8?Q?A=0D=0AB?=" <a@example.org>' }),
    'Named',
    { author: { name: 'A B', email: 'a@example.org' } },
  ],
  [
    'a name of a file that leads elsewhere',
    () => mixed([words('File'), file('../../etc/pass\u202ewd.txt', 'text/plain', Buffer.from('x'))]),
    'File',
    { media: { filename: 'passwd.txt' } },
  ],
  [
    'line ends in the name of a file',
    () => mixed([words('Split'), file('=?utf-8?Q?a=0D=0Ab=2Etxt?=', 'text/plain', Buffer.from('x'))]),
    'Split',
    { media: { mime_type: 'text/plain' } },
  ],
  ['nobody as sender', () => letter('Nobody', { From: null }), null],
  ['a sender without address', () => letter('Nobody', { From: 'Ana' }), null],
  ['a sender that is no address', () => letter('Nobody', { From: '<ana@>, <@example.org>, <a b@c>' }), null],
  [
    'several senders',
    () => letter('Several', { From: 'A <one@example.org>, B <two@example.org>' }),
    'Several',
    { author: { email: 'one@example.org' } },
  ],
  [
    'a group as sender',
    () => letter('Group', { From: 'Friends: Bo <bo@example.org>, c@example.org;' }),
    'Group',
    { author: { name: 'Bo', email: 'bo@example.org' } },
  ],
  ['an empty group as sender', () => letter('Empty', { From: 'undisclosed-recipients:;' }), null],
  [
    'a domain of letters',
    () => letter('Domain', { From: 'a@BÜCHER.example' }),
    'Domain',
    { author: { email: 'a@xn--bcher-kva.example' } },
  ],
  [
    'a file that would grow without end',
    () => mixed([words('Bomb'), file('bomb.gz', 'application/gzip', gzipSync(Buffer.alloc(20_000_000)))]),
    'Bomb\n[File not available: bomb.gz]',
  ],
  [
    'a page called a picture',
    () => mixed([words('Page'), file('cat.png', 'image/png', Buffer.from('<html><script>x()</script>'))]),
    'Page\n[File not available: cat.png]',
  ],
  [
    'a signature of a program',
    () => mixed([words('Signed'), file('signature.asc', 'application/pgp-signature', Buffer.from('x'))]),
    'Signed',
    { type: 'text' },
  ],
  ['U+0000 in the text', () => letter('A\u0000B\u0007C'), 'ABC'],
  [
    'nothing but markup',
    () => letter('<script>x()</script><img src=x>', { 'Content-Type': 'text/html' }),
    /order/,
  ],
  ['markup without end', () => letter('<div>'.repeat(200_000), { 'Content-Type': 'text/html' }), /order/],
  ['no boundary', () => letter('Hello', { 'Content-Type': 'multipart/mixed' }), /order|Hello/],
  ['an end that never comes', () => mixed([words('No end')]).replace('--outer--', ''), 'No end'],
  ['no headers', () => 'Hello', null],
  ['bytes of anything', () => Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 89) % 256)), null],
  ['our own address', () => letter('Own', { From: `"${shop}" <${shop}>` }), null],
  [
    'a Message-ID of 10,000 letters',
    () => letter('Long id', { 'Message-ID': `<${'x'.repeat(10_000)}@y>` }),
    'Long id',
  ],
  ['10,000 references', () => letter('Many', { References: '<a@b> '.repeat(10_000) }), 'Many'],
];

it.each(mails)(
  '%s: neither an error of ours, nor in the way of the next mail',
  async (_what, raw, text, more = {}) => {
    expect((await post(email(), raw())).status).toBe(200);
    expect((await post(email(), letter('The next one', { From: 'next@example.org' }))).status).toBe(200);
    await arrived(email(), 'The next one');
    await email().settled();
    const [first, ...rest] = (await messagesOf(email())).filter((one) => one['text'] !== 'The next one');
    expect(rest).toEqual([]);
    if (text === null) return expect(first).toBeUndefined();
    expect(first).toMatchObject({ direction: 'inbound', ...more });
    expect(first?.['text']).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  },
);
