import { describe, expect, it } from 'vitest';
import { configure, idle, saidByItself } from './support/automation.ts';
import {
  arrived,
  file,
  letter,
  messagesOf,
  mixed,
  reaches,
  receive,
  send,
  shop,
  statusOf,
  useEmail,
} from './support/email.ts';
import { picture } from './support/files.ts';

const email = useEmail();
const words = (text: string) => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`;

describe('what customers send', () => {
  it('files come with the words, one message each, in their order; what can’t be kept is named', async () => {
    const png = await picture('png', 20);
    const raw = mixed([
      words('See these'),
      file('a.png', 'image/png', png),
      file('tool.zip', 'application/zip', Buffer.from('PK\u0003\u0004 nothing')),
      file('list.txt', 'text/plain', Buffer.from('one')),
    ]);
    await receive(email(), raw);
    const first = await arrived(email(), 'See these\n[File not available: tool.zip]');
    expect(first).toMatchObject({ type: 'media', media: { kind: 'image', filename: 'a.png' } });
    await expect.poll(async () => (await messagesOf(email())).length).toBe(2);
    const [second] = await messagesOf(email());
    expect(second).toMatchObject({
      type: 'media',
      text: null,
      conversation: first['conversation'],
      media: { filename: 'list.txt', mime_type: 'text/plain' },
    });
    const served = await fetch((first['media'] as { url: string }).url);
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
  });

  it('pictures within the words are files too, but not those that only count who reads', async () => {
    const inline = (name: string, bytes: Buffer) =>
      file(name, 'image/png', bytes, `\r\nContent-ID: <${name}>`).replace('attachment;', 'inline;');
    const body = `Content-Type: multipart/related; boundary=in\r\n\r\n${[
      'Content-Type: text/html\r\n\r\n<p>Look:</p><img src="cid:shot.png"><img src="http://127.0.0.1:1/x.png">',
      inline('shot.png', await picture('png', 20)),
      inline('count.png', await picture('png', 1)),
    ]
      .map((part) => `--in\r\n${part}\r\n`)
      .join('')}--in--`;
    await receive(email(), mixed([body]));
    await expect.poll(async () => (await messagesOf(email())).length).toBe(1);
    const [only] = await messagesOf(email());
    expect(only).toMatchObject({ type: 'media', media: { filename: 'shot.png' } });
    expect(String(only?.['text'])).toContain('Look:');
  });

  it('markup is read as text, and the words as they were are kept beside it', async () => {
    const html =
      '<html><style>p{}</style><body><h1>Hi</h1><script>x()</script><p>It is <b>broken</b>.</p></body>';
    await receive(email(), letter(html, { 'Content-Type': 'text/html' }));
    await expect.poll(async () => (await messagesOf(email())).length).toBe(1);
    const [only] = await messagesOf(email());
    expect(String(only?.['text'])).toMatch(/^Hi\s+It is broken\.$/);
    const { rows } = await email().server.app.pool.query('SELECT extra FROM messages WHERE id = $1', [
      only?.['id'],
    ]);
    expect(rows[0].extra).toMatchObject({ subject: 'Where is my order?', size: expect.any(Number) });
    const chunks = await (await email().server.app.storage.open(rows[0].extra.letter)).toArray();
    expect(Buffer.concat(chunks).toString()).toContain(html);
  });

  it('a mail of nothing but a subject says that', async () => {
    await receive(email(), letter('', { Subject: 'Call me' }));
    await arrived(email(), 'Call me');
  });

  it('an address is one contact, whatever its case, and known ones are found by it', async () => {
    const known = (await email().api.post('/contacts', { email: 'Zoe@Example.org', name: 'Zoë' })).body.data
      .id;
    await receive(email(), letter('One', { From: 'zoe@example.org' }));
    await receive(email(), letter('Two', { From: '"Other name" <ZOE@EXAMPLE.ORG>' }));
    expect(await arrived(email(), 'One')).toMatchObject({ contact: known, author: { name: 'Zoë' } });
    expect(await arrived(email(), 'Two')).toMatchObject({ contact: known });
  });

  it('ten of one new customer at once make one contact and one thread', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => receive(email(), letter(`No. ${n}`, { From: 'new@example.org' }))),
    );
    await expect.poll(async () => (await messagesOf(email())).length).toBe(10);
    const all = await messagesOf(email());
    expect(new Set(all.map((one) => `${one['contact']} ${one['conversation']}`)).size).toBe(1);
  });

  it('STOP ends marketing, above what it answers too', async () => {
    await receive(
      email(),
      letter('Stop\r\n\r\nOn Fri, Nov 27, 2026 at 10:12 AM Shop <shop@example.com> wrote:\r\n> Sale!'),
    );
    const { contact } = await arrived(email(), 'Stop');
    expect((await email().api.get(`/contacts/${contact}`)).body.data.subscribed).toBe(false);
  });

  it('of a blocked contact nothing is told', async () => {
    await receive(email(), letter('Before'));
    const { contact, conversation } = await arrived(email(), 'Before');
    await email().api.patch(`/contacts/${contact}`, { blocked: true });
    await receive(email(), letter('After'));
    await arrived(email(), 'After');
    const thread = (await email().api.get(`/conversations/${conversation}`)).body.data;
    expect(thread).toMatchObject({ unread_count: 1, last_message: { snippet: 'Before' } });
  });
});

describe('what machines send', () => {
  const automatic: [string, Record<string, string>][] = [
    ['an out-of-office note', { 'Auto-Submitted': 'auto-replied' }],
    ['a list', { 'List-Id': '<news.example.org>' }],
    ['bulk', { Precedence: 'bulk' }],
    ['one that wants no answer', { 'X-Auto-Response-Suppress': 'All' }],
    ['one without a way back', { 'Return-Path': '<>' }],
  ];
  it.each(automatic)('%s arrives, and nothing answers by itself', async (_what, headers) => {
    await configure(email().server, email().company.id, { business_hours: {}, away_message: 'Closed.' });
    await receive(email(), letter('I am away', headers));
    const { conversation } = await arrived(email(), 'I am away');
    await idle(email().server);
    expect(await saidByItself(email().api, String(conversation))).toEqual([]);
    await receive(email(), letter('A person', { 'Auto-Submitted': 'no' }));
    await expect
      .poll(() => saidByItself(email().api, String(conversation)), { timeout: 20_000 })
      .toEqual(['Closed.']);
  });

  it('our own mail that comes back is no message', async () => {
    await receive(email(), letter('Mine', { From: `Us <${shop.toUpperCase()}>` }));
    await receive(email(), letter('Hi'));
    const { conversation } = await arrived(email(), 'Hi');
    const id = await send(email(), { conversation, text: 'To a list' });
    await reaches(email(), id, 'sent');
    const [{ raw } = { raw: '' }] = email().smtp.taken;
    await receive(email(), raw.replace(/^From: .*$/m, 'From: list@example.org'));
    await receive(email(), letter('Last'));
    await arrived(email(), 'Last');
    expect((await messagesOf(email(), { direction: 'inbound' })).map((one) => one['text'])).toEqual([
      'Last',
      'Hi',
    ]);
  });
});

/** What a mail server reports of a mail (RFC 3464). */
function report(original: string, { action = 'failed', as = 'message/rfc822' } = {}): string {
  const parts = [
    words('Your mail could not be delivered.'),
    'Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n' +
      `Final-Recipient: rfc822; ana@example.org\r\nAction: ${action}\r\nStatus: 5.1.1\r\n` +
      'Diagnostic-Code: smtp; 550 5.1.1 No\r\n  such user',
    `Content-Type: ${as}\r\n\r\n${original}`,
  ];
  return mixed(parts, {
    From: 'Mail Delivery <MAILER-DAEMON@mx.example.org>',
    'Return-Path': '<>',
    Subject: 'Undelivered Mail Returned to Sender',
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=outer',
  });
}

describe('a report of a mail server', () => {
  async function sent() {
    await receive(email(), letter('Hi'));
    const { conversation } = await arrived(email(), 'Hi');
    const id = await send(email(), { conversation, text: 'Hello' });
    await reaches(email(), id, 'sent');
    return { id, raw: email().smtp.taken.at(-1)?.raw ?? '' };
  }

  it('fails the message that it is about, with its reason, and is no message', async () => {
    const { id, raw } = await sent();
    await receive(email(), report(raw));
    await reaches(email(), id, 'failed');
    expect((await statusOf(email())(id)).failure).toEqual({
      code: 'undeliverable',
      message: '550 5.1.1 No such user',
      provider_code: '5.1.1',
    });
    expect(await messagesOf(email(), { direction: 'inbound' })).toHaveLength(1);
  });

  it('knows it by its headers alone, by what it answers, or by what old servers add', async () => {
    const { id, raw } = await sent();
    await receive(email(), report(raw.split('\r\n\r\n')[0]!, { as: 'text/rfc822-headers' }));
    await reaches(email(), id, 'failed');
    const second = await sent();
    const plain = letter('Unknown user', {
      From: 'mailer-daemon@example.org',
      'X-Failed-Recipients': 'ana@example.org',
      'In-Reply-To': `<${second.id}@example.com>`,
    });
    await receive(email(), plain);
    await reaches(email(), second.id, 'failed');
  });

  it('that it is late, or of a mail that is none of ours, changes nothing', async () => {
    const { id, raw } = await sent();
    await receive(email(), report(raw, { action: 'delayed' }));
    await receive(email(), report('Message-ID: <other@example.org>\r\n\r\nHello'));
    await receive(email(), report(`Message-ID: <01JQZ7K3M9V5T2XH8C4B6N0DFG@example.com>\r\n\r\nHello`));
    await receive(email(), letter('Last'));
    await arrived(email(), 'Last');
    expect((await statusOf(email())(id)).status).toBe('sent');
    expect(await messagesOf(email(), { direction: 'inbound' })).toHaveLength(2);
  });
});
