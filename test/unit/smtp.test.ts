import { describe, expect, it } from 'vitest';
import { EmailCredentials } from '../../schema/email.ts';
import { imapServerOf } from '../../server/channels/imap.ts';
import { SmtpError, smtpServerOf } from '../../server/channels/smtp.ts';

const server = (given: object, smtpUrl?: string) => smtpServerOf({ smtpUrl }, EmailCredentials.parse(given));

describe('the server that mail goes to', () => {
  it('is the channel’s own, else that of the installation, else none', () => {
    const own = { smtp_host: 'mail.example.com', smtp_user: 'a', smtp_password: 'b' };
    const auth = { user: 'a', pass: 'b' };
    expect(server(own, 'smtp://other.example.com')).toEqual({
      host: 'mail.example.com',
      port: 587,
      encryption: 'starttls',
      auth,
    });
    expect(server({ ...own, smtp_port: '465' })).toMatchObject({ port: 465, encryption: 'tls' });
    expect(server({ ...own, smtp_port: 465, smtp_encryption: 'none' })).toMatchObject({ encryption: 'none' });
    expect(server({})).toBeNull();
  });

  const urls: [string, object][] = [
    [
      'smtp://a%40b:p%2Fw@mail.example.com',
      { port: 587, encryption: 'starttls', auth: { user: 'a@b', pass: 'p/w' } },
    ],
    ['smtp://relay:25', { host: 'relay', port: 25, encryption: 'offered', auth: null }],
    ['smtps://mail.example.com', { port: 465, encryption: 'tls' }],
    ['smtp://user:word@127.0.0.1:1025', { port: 1025, encryption: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', encryption: 'none' }],
  ];
  it.each(urls)('%s is read', (url, expected) => {
    expect(server({}, url)).toMatchObject(expected);
  });

  it('may be the one that mail comes from, by the same user', () => {
    const read = (given: object) => imapServerOf(EmailCredentials.parse(given));
    const smtp = { smtp_user: 'a', smtp_password: 'b' };
    expect(read(smtp)).toBeNull();
    expect(read({ imap_host: 'x' })).toBeNull();
    expect(read({ ...smtp, imap_host: 'x' })).toEqual({
      host: 'x',
      port: 993,
      encryption: 'tls',
      auth: { user: 'a', pass: 'b' },
    });
    expect(read({ ...smtp, imap_host: 'x', imap_port: 143 })).toMatchObject({ encryption: 'starttls' });
  });
});

describe('what it says', () => {
  const reply = (code: string, response: string) =>
    Object.assign(new Error(response), { code, response, responseCode: Number(response.slice(0, 3)) });

  it('is read by its codes', () => {
    expect(new SmtpError(reply('EENVELOPE', '550 5.1.1 No such user'), true)).toMatchObject({
      status: 550,
      detail: '5.1.1',
      locked: false,
      handedOver: false,
    });
    expect(new SmtpError(reply('EAUTH', '535 5.7.8 No'), false)).toMatchObject({ locked: true });
    expect(new SmtpError(reply('EAUTH', '454 4.7.0 Later'), false)).toMatchObject({ locked: false });
    expect(new SmtpError(new Error('gone'), true)).toMatchObject({ status: null, handedOver: true });
  });
});
