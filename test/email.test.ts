import { describe, expect, it } from 'vitest';
import { arrived, letter, messagesOf, reaches, receive, send, shop, useEmail } from './support/email.ts';
import { startReceiver } from './support/receiver.ts';
import { createEndpoint } from './support/webhooks.ts';

const email = useEmail();

describe('a conversation by mail', () => {
  it('from the customer’s mail to our answer in their mailbox, and the events of both', async () => {
    const receiver = await startReceiver();
    await createEndpoint(email().server, email().company, {
      url: receiver.url,
      events: ['message.received', 'message.sent', 'contact.created', 'conversation.created'],
    });
    const id = '<first@example.org>';
    await receive(email(), letter('Hello,\r\nit has not come.\r\n', { 'Message-ID': id }));
    const message = await arrived(email(), 'Hello,\nit has not come.');
    expect(message).toMatchObject({
      channel: 'email',
      type: 'text',
      subject: 'Where is my order?',
      author: { type: 'contact', name: 'Ana Sousa', email: 'ana@example.org' },
    });
    const timeline = (await email().api.get(`/conversations/${String(message['conversation'])}/timeline`))
      .body;
    expect(timeline.data[0]).toMatchObject({ kind: 'message', subject: 'Where is my order?' });
    const contact = (await email().api.get(`/contacts/${String(message['contact'])}`)).body.data;
    expect(contact).toMatchObject({
      name: 'Ana Sousa',
      email: 'ana@example.org',
      phone: null,
      source: 'email',
    });
    const file = new File(['one,two'], 'prices, new.csv', { type: 'text/csv' });
    const { url } = (await email().api.form('/media', { file })).body.data;
    const text = 'Tomorrow <b>surely</b> & "soon".\nYours';
    const sent = await send(email(), { conversation: message['conversation'], media_url: url, text });
    await reaches(email(), sent, 'sent');
    const [taken] = email().smtp.taken;
    expect(taken).toMatchObject({ from: shop, to: ['ana@example.org'] });
    expect(taken?.mail).toMatchObject({
      from: { value: [{ name: 'The Shop', address: shop }] },
      to: { value: [{ address: 'ana@example.org' }] },
      subject: 'Re: Where is my order?',
      messageId: `<${sent}@example.com>`,
      inReplyTo: id,
      references: id,
      attachments: [{ filename: 'prices, new.csv', contentType: 'text/csv' }],
    });
    expect(taken?.mail.text?.trim()).toBe(text);
    expect(taken?.mail.html).toContain('Tomorrow &lt;b&gt;surely&lt;/b&gt; &amp; &quot;soon&quot;.<br>');
    expect(taken?.mail.attachments[0]?.content.toString()).toBe('one,two');
    expect(taken?.mail.headers.has('auto-submitted')).toBe(false);
    await expect
      .poll(() => receiver.received.map(({ event }) => event.type).sort(), { timeout: 20_000 })
      .toEqual(['contact.created', 'conversation.created', 'message.received', 'message.sent']);
    await receiver.close();
  });

  it('goes on in one thread, both ways', async () => {
    await receive(email(), letter('One', { 'Message-ID': '<a1@example.org>' }));
    const { conversation, contact } = await arrived(email(), 'One');
    const first = await send(email(), { conversation, text: 'Two' });
    await reaches(email(), first, 'sent');
    const answer = { Subject: 'RE: AW: Where is my order?', 'In-Reply-To': `<${first}@example.com>` };
    await receive(email(), letter('Three', { ...answer, 'Message-ID': '<a2@example.org>' }));
    expect(await arrived(email(), 'Three')).toMatchObject({ conversation, reply_to: { id: first } });
    const last = await send(email(), { conversation, text: 'Four' });
    await reaches(email(), last, 'sent');
    expect(email().smtp.taken.at(-1)?.mail).toMatchObject({
      subject: 'Re: Where is my order?',
      inReplyTo: '<a2@example.org>',
      references: ['<a1@example.org>', `<${first}@example.com>`, '<a2@example.org>'],
    });
    // What names a mail of a thread belongs to it, even if another thread is newer.
    await email().api.post(`/conversations/${String(conversation)}/close`);
    await email().owner.channels.update({ channel: email().channel, reopen_hours: 0 });
    await receive(email(), letter('Something else', { Subject: 'Another matter' }));
    const other = await arrived(email(), 'Something else');
    expect(other['conversation']).not.toBe(conversation);
    await email().owner.channels.update({ channel: email().channel, reopen_hours: 24 });
    await receive(
      email(),
      letter('Back to the first', { References: `<x@y> <${first}@example.com> <unknown@z>` }),
    );
    expect((await arrived(email(), 'Back to the first'))['conversation']).toBe(conversation);
    await receive(email(), letter('New one'));
    expect((await arrived(email(), 'New one'))['contact']).toBe(contact);
    // Another customer who names it gets a thread of their own.
    const stranger = { From: 'bo@example.net', 'In-Reply-To': `<${first}@example.com>` };
    await receive(email(), letter('Me too', stranger));
    expect((await arrived(email(), 'Me too'))['conversation']).not.toBe(conversation);
  });

  it('that we begin has a subject of its own', async () => {
    const contact = (await email().api.post('/contacts', { email: 'Bo.Berg@Example.net' })).body.data.id;
    const one = await send(email(), { contact, text: 'We have news' });
    await reaches(email(), one, 'sent');
    const company = (await email().api.get('/me')).body.data.company.name;
    expect(email().smtp.taken[0]).toMatchObject({
      to: ['bo.berg@example.net'],
      mail: { subject: company, messageId: `<${one}@example.com>` },
    });
    expect(email().smtp.taken[0]?.mail.inReplyTo).toBeUndefined();
    const two = await send(email(), { contact, text: 'And more' });
    await reaches(email(), two, 'sent');
    expect(email().smtp.taken[1]?.mail).toMatchObject({
      subject: `Re: ${company}`,
      inReplyTo: `<${one}@example.com>`,
    });
    await receive(email(), letter('Thanks', { From: 'BO.BERG@example.NET', Subject: `Re: ${company}` }));
    expect(await arrived(email(), 'Thanks')).toMatchObject({ contact });
  });

  it('the same mail again is no second message, however it comes', async () => {
    const once = letter('Only once');
    for (let n = 0; n < 3; n++) await receive(email(), once);
    const nameless = letter('Without a name', { 'Message-ID': null });
    for (let n = 0; n < 2; n++) await receive(email(), nameless);
    await arrived(email(), 'Without a name');
    await receive(email(), letter('Last'));
    await arrived(email(), 'Last');
    expect((await messagesOf(email())).map((one) => one['text']).sort()).toEqual([
      'Last',
      'Only once',
      'Without a name',
    ]);
  });
});
