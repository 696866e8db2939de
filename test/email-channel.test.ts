import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createChannel } from '../server/channels/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import {
  arrived,
  config,
  credentialsFor,
  letter,
  messagesOf,
  post,
  receive,
  signature,
  useEmail,
  webhookSecret,
} from './support/email.ts';
import { smtpPassword } from './support/smtp-stand-in.ts';

const email = useEmail({ MEDIA_MAX_BYTES: '300000' });

const refusedParam = (given: object) =>
  email()
    .owner.channels.create({
      kind: 'email',
      name: 'Second',
      config,
      credentials: credentialsFor(email().smtp),
      ...given,
    })
    .then(
      () => null,
      (error: { cause: { param: string } }) => error.cause.param,
    );

describe('a channel', () => {
  it('keeps its credentials encrypted, shows them masked, and says where mail may be posted', async () => {
    const [shown] = (await email().owner.channels.list({})).data;
    expect(shown).toMatchObject({
      kind: 'email',
      config,
      credentials: { smtp_password: '••••ests', webhook_secret: '••••ests', smtp_user: '••••.com' },
      webhook_url: `${email().server.app.publicUrl()}/channels/${email().channel}/webhook`,
    });
    const { rows } = await email().server.app.pool.query(
      'SELECT channels::text AS row FROM channels WHERE id = $1',
      [email().channel],
    );
    for (const secret of [smtpPassword, webhookSecret]) {
      expect(rows[0].row).not.toContain(secret);
      expect(rows[0].row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('is checked before it is saved: wrong or missing settings save nothing', async () => {
    const good = credentialsFor(email().smtp);
    const credentials = (more: object) => ({ credentials: { ...good, ...more } });
    expect(await refusedParam(credentials({ smtp_password: 'wrong' }))).toBe('credentials.smtp_password');
    expect(await refusedParam(credentials({ smtp_port: 70_000 }))).toBe('credentials.smtp_port');
    expect(await refusedParam(credentials({ webhook_secret: 'short' }))).toBe('credentials.webhook_secret');
    expect(await refusedParam({ credentials: { webhook_secret: webhookSecret } })).toBe(
      'credentials.smtp_host',
    );
    expect(await refusedParam({ config: {} })).toBe('config.address');
    expect(await refusedParam({ config: { address: 'no address' } })).toBe('config.address');
    // Nobody is there, and what is not encrypted although it should be.
    expect(await refusedParam(credentials({ smtp_port: 1 }))).toBe('credentials');
    expect(await refusedParam(credentials({ smtp_encryption: 'starttls' }))).toBe('credentials');
    expect(await refusedParam(credentials({ smtp_encryption: 'tls' }))).toBe('credentials');
    expect((await email().owner.channels.list({})).data).toHaveLength(1);
  });

  it('given its credentials among the settings keeps them secret all the same', async () => {
    const mixed = {
      kind: 'email' as const,
      name: 'Mixed',
      config: { ...config, ...credentialsFor(email().smtp) },
    };
    const made = (await email().owner.channels.create(mixed)).data;
    expect(made.config).toEqual(config);
    expect(made.credentials).toHaveProperty('smtp_password', '••••ests');
  });

  it('made before its server is known can be saved, and sends nothing', async () => {
    const own = await email().server.company();
    const ctx = await systemContext(email().server.app, own.id);
    const { id } = await execute(createChannel, ctx, { kind: 'email', name: 'Later' });
    const client = await own.client();
    const contact = (await client.post('/contacts', { email: 'bo@example.org' })).body.data.id;
    const refused = await client.post('/messages', { contact, text: 'Hello' });
    expect(refused.body.error.details[0].code).toBe('channel_unavailable');
    expect((await post(email(), letter('Hi'), undefined, id)).status).toBe(404);
  });

  it('made on the command line sends as any other', { timeout: 120_000 }, async () => {
    const own = await email().server.company();
    const { config: settings } = email().server.app;
    const env = {
      ...process.env,
      DATABASE_URL: email().server.databaseUrl,
      DATA_DIR: settings.dataDir,
      SECRET: settings.variables.SECRET,
      LOG_LEVEL: 'error',
    };
    const credentials = JSON.stringify(credentialsFor(email().smtp));
    const asked = ['--kind', 'email', '--name', 'Mail', '--config', JSON.stringify(config)];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.resolve('server/main.ts'), '--json', 'channels', 'create', '--company', own.id, ...asked].concat(
        '--credentials',
        credentials,
      ),
      { env },
    );
    expect(JSON.parse(stdout)).toEqual({ id: expect.stringMatching(/^\w{26}$/), kind: 'email' });
    const client = await own.client();
    const contact = (await client.post('/contacts', { email: 'bo@example.org' })).body.data.id;
    expect((await client.post('/messages', { contact, text: 'Hello' })).status).toBe(201);
    await expect
      .poll(() => email().smtp.taken.map(({ to }) => to), { timeout: 20_000 })
      .toEqual([['bo@example.org']]);
  });

  it('has no templates, and reaches nobody without an e-mail address', async () => {
    const code = async (body: object) =>
      (await email().api.post('/messages', body)).body.error.details[0] as { code: string };
    const contact = (await email().api.post('/contacts', { phone: '+351912345678' })).body.data.id;
    expect(await code({ contact, text: 'Hello' })).toMatchObject({ code: 'channel_unavailable' });
    const other = (await email().api.post('/contacts', { email: 'bo@example.org' })).body.data.id;
    const template = { name: 'x', language: 'en' };
    expect(await code({ contact: other, template })).toMatchObject({ code: 'not_allowed' });
  });
});

describe('the webhook', () => {
  it('takes nothing that is not signed, by our own way of signing, within five minutes', async () => {
    const raw = letter('forged');
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    const sign = (value: string) => ({ 'X-Service-Signature': value });
    const wrong: Record<string, string>[] = [
      {},
      sign(''),
      sign('t=,v1='),
      sign(signature(raw, 'another secret')),
      sign(signature(`${raw} `)),
      sign(signature(raw, webhookSecret, at(-330))),
      sign(signature(raw, webhookSecret, at(330))),
      sign(signature(raw).replace(/^t=\d+/, 't=9999999999')),
      sign(signature(raw).replace('v1=', 'v0=')),
    ];
    for (const headers of wrong) {
      const answer = await post(email(), raw, headers);
      expect(answer.status).toBe(403);
      expect(((await answer.json()) as { error: object }).error).toMatchObject({ code: 'forbidden' });
    }
    expect((await post(email(), raw, undefined, '01JQZ7K3M9V5T2XH8C4B6N0DFG')).status).toBe(404);
    const url = `${email().server.url}/channels/${email().channel}/webhook`;
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
    expect((await post(email(), '')).status).toBe(400);
    const packed = { 'X-Service-Signature': signature(raw), 'Content-Encoding': 'gzip' };
    expect((await post(email(), raw, packed)).status).toBe(400);
    // While a secret is being replaced there are two signatures.
    const real = letter('real');
    const two = signature(real).replace('v1=', `v1=${'0'.repeat(64)},v1=`);
    expect((await post(email(), real, sign(two))).status).toBe(200);
    await arrived(email(), 'real');
    expect((await messagesOf(email())).map((one) => one['text'])).toEqual(['real']);
  });

  it('takes mail up to the limit of media, and says so beyond it', async () => {
    const large = letter('x'.repeat(299_000));
    await receive(email(), large);
    expect((await post(email(), letter('y'.repeat(301_000)))).status).toBe(413);
    const streamed = letter('z'.repeat(301_000));
    const answer = await fetch(`${email().server.url}/channels/${email().channel}/webhook`, {
      method: 'POST',
      body: new Blob([streamed]).stream(),
      duplex: 'half',
      headers: { 'X-Service-Signature': signature(streamed) },
    } as RequestInit);
    expect(answer.status).toBe(413);
    await expect.poll(async () => (await messagesOf(email())).length).toBe(1);
    // Longer than anybody reads; all of it is in the store.
    expect(String((await messagesOf(email()))[0]?.['text'])).toHaveLength(65_536);
  });
});
