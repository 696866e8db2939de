import { describe, expect, it } from 'vitest';
import { configure } from './support/automation.ts';
import { arrived, letter, reaches, receive, send, shop, statusOf, useEmail } from './support/email.ts';

const email = useEmail();

async function thread(text = 'Hi') {
  await receive(email(), letter(text));
  return String((await arrived(email(), text))['conversation']);
}
const attempts = () => email().smtp.steps.filter((step) => step === 'from').length;

describe('what the mail server says', () => {
  const refusals: [number, string, string, string][] = [
    [550, '5.1.1 No such user', 'undeliverable', '5.1.1'],
    [551, 'User not local', 'undeliverable', '551'],
    [553, '5.1.3 Bad address', 'undeliverable', '5.1.3'],
    [550, '5.7.1 Looks like spam', 'provider_error', '5.7.1'],
    [552, '5.2.2 Mailbox full', 'provider_error', '5.2.2'],
    [554, 'Not here', 'provider_error', '554'],
  ];
  it.each(refusals)('%s %s fails at once, with the code %s', async (status, text, code, providerCode) => {
    const conversation = await thread();
    email().smtp.answer = (step) => (step === 'to' ? { status, text } : null);
    const id = await send(email(), { conversation, text: 'Hello' });
    await reaches(email(), id, 'failed');
    expect((await statusOf(email())(id)).failure).toMatchObject({ code, provider_code: providerCode });
    expect(attempts()).toBe(1);
  });

  it('what it can’t take now it gets again, the same mail by its Message-ID', async () => {
    const conversation = await thread();
    let refused = 0;
    email().smtp.answer = (step) =>
      step === 'data' && refused++ === 0 ? { status: 451, text: '4.7.1 Greylisted' } : null;
    const id = await send(email(), { conversation, text: 'patient' });
    await reaches(email(), id, 'sent');
    expect(attempts()).toBe(2);
    expect(email().smtp.taken.map(({ mail }) => mail.messageId)).toEqual([`<${id}@example.com>`]);
  });

  it('what may have been sent is not sent again, until somebody answers it', async () => {
    const conversation = await thread();
    email().smtp.answer = (step) => (step === 'data' ? 'hang' : null);
    const id = await send(email(), { conversation, text: 'lost' });
    await expect.poll(() => email().smtp.steps).toContain('data');
    email().smtp.cut();
    await reaches(email(), id, 'failed');
    expect((await statusOf(email())(id)).failure.message).toBe(
      'It is not known whether the message was sent.',
    );
    email().smtp.answer = () => null;
    const next = await send(email(), { conversation, text: 'next' });
    await reaches(email(), next, 'sent');
    expect(email().smtp.taken.map(({ mail }) => mail.text?.trim())).toEqual(['next']);
    await receive(email(), letter('Got it', { 'In-Reply-To': `<${id}@example.com>` }));
    expect(await arrived(email(), 'Got it')).toMatchObject({ conversation, reply_to: { id } });
    expect(await statusOf(email())(id)).toMatchObject({ status: 'sent', failure: null });
  });

  it('a connection that breaks before all of it is sent loses nothing', async () => {
    const conversation = await thread();
    let cut = 0;
    email().smtp.answer = (step) => {
      if (step === 'to' && cut++ === 0) email().smtp.cut();
      return null;
    };
    const id = await send(email(), { conversation, text: 'whole' });
    await reaches(email(), id, 'sent');
    expect(email().smtp.taken).toHaveLength(1);
  });

  it('a password that it no longer accepts shows at the channel, until a check succeeds', async () => {
    const conversation = await thread();
    email().smtp.password = 'another one';
    const id = await send(email(), { conversation, text: 'Hello' });
    await reaches(email(), id, 'failed');
    expect((await statusOf(email())(id)).failure).toMatchObject({
      code: 'provider_error',
      provider_code: '5.7.8',
    });
    expect((await email().owner.channels.list({})).data[0]).toMatchObject({
      status: 'failing',
      failure_reason: 'The mail server does not accept user and password.',
    });
    email().smtp.password = 'smtp-password-of-the-tests';
    expect((await email().owner.channels.check({ channel: email().channel })).data).toMatchObject({
      status: 'active',
      failure_reason: null,
    });
  });
});

describe('the headers', () => {
  it('say of what the house writes by itself that a machine wrote it', async () => {
    await configure(email().server, email().company.id, {
      business_hours: {},
      away_message: 'We are closed.',
    });
    await receive(email(), letter('Anybody?'));
    await expect.poll(() => email().smtp.taken.length, { timeout: 20_000 }).toBe(1);
    const { headers, text } = email().smtp.taken[0]!.mail;
    expect(text?.trim()).toBe('We are closed.');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('x-auto-response-suppress')).toBe('OOF, AutoReply');
  });

  it('of a campaign say that it went to many, and the mail they offer to send ends it', async () => {
    const { api, owner, smtp } = email();
    const contact = await api.post('/contacts', { name: 'Ana', email: 'ana@example.org' });
    const { data } = await owner.campaigns.create({
      name: 'Sale',
      text: 'All half price',
      channel: 'Mail',
    });
    await owner.campaigns.send({ campaign: data.id });
    await expect.poll(() => smtp.taken.length, { timeout: 30_000 }).toBe(1);
    const { mail } = smtp.taken[0]!;
    expect(mail.text?.trim()).toBe('All half price');
    expect(mail.headers.get('precedence')).toBe('bulk');
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.headers.get('list')).toMatchObject({ unsubscribe: { mail: `${shop}?subject=STOP` } });
    await receive(email(), letter('', { Subject: 'STOP' }));
    const { id } = contact.body.data;
    const subscribed = async () => (await api.get(`/contacts/${id}`)).body.data.subscribed;
    await expect.poll(subscribed, { timeout: 20_000 }).toBe(false);
  });

  it('hold what customers called themselves and their mails, and not a header more', async () => {
    const subject = '=?utf-8?Q?Ol=C3=A1_=0D=0ABcc:_evil@example.net?=';
    const from = '"=?utf-8?Q?Ana=0D=0ABcc:_evil@example.net?=" <ana@example.org>';
    await receive(email(), letter('Inject', { Subject: subject, From: from }));
    const { conversation } = await arrived(email(), 'Inject');
    const id = await send(email(), { conversation, text: 'A line\r\n.\r\nBcc: evil@example.net' });
    await reaches(email(), id, 'sent');
    const [taken] = email().smtp.taken;
    expect(taken?.to).toEqual(['ana@example.org']);
    expect(taken?.mail.subject).toBe('Re: Olá Bcc: evil@example.net');
    expect(taken?.mail.bcc).toBeUndefined();
    expect(taken?.mail.text?.trim().split(/\r?\n/)).toEqual(['A line', '.', 'Bcc: evil@example.net']);
  });

  it('keep letters of all scripts, in subjects, names and domains', async () => {
    const from = '=?utf-8?B?5bGx55Sw?= <yamada@münchen.example>';
    await receive(email(), letter('こんにちは', { Subject: '=?utf-8?B?5rOo5paH?=', From: from }));
    const { conversation, author } = await arrived(email(), 'こんにちは');
    expect(author).toMatchObject({ name: '山田', email: 'yamada@xn--mnchen-3ya.example' });
    const id = await send(email(), { conversation, text: 'ありがとう 🎉' });
    await reaches(email(), id, 'sent');
    const [taken] = email().smtp.taken;
    expect(taken?.raw).toMatch(/^To: yamada@xn--mnchen-3ya\.example\r$/m);
    expect(taken?.mail.subject).toBe('Re: 注文');
    expect(taken?.mail.text?.trim()).toBe('ありがとう 🎉');
  });
});
