import { beforeAll, describe, expect, it } from 'vitest';
import { Draft } from '../schema/drafts.ts';
import { createAgent } from '../server/account/agents.ts';
import { removeUnusedMedia } from '../server/media/cleanup.ts';
import { simulateInbound } from '../server/messages/simulate.ts';
import { acrossTenants } from '../server/platform/tenancy.ts';
import type { Client } from './support/client.ts';
import { uploadTo } from './support/media.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { heard, listen, pusherClient, subscribed } from './support/pusher.ts';
import { settled } from './support/settled.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;
let api: Client;
let page: Page;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  page = await ownerPage(server().url, company);
});

const thread = async () => {
  const from = `+3519123400${String(++phones).padStart(2, '0')}`;
  const arrival = await simulateInbound(server().app, company.id, { from, text: 'Hello' });
  return arrival!.conversation;
};
const dataOf = (answer: { body: { result: { data: { data: unknown } } } }) =>
  Draft.parse(answer.body.result.data.data);
const get = async (conversation: string, mode = 'reply', own = page) =>
  dataOf(await own.query('drafts.get', { conversation, mode }));
const save = (conversation: string, version: number, text: string, more: object = {}) =>
  page.mutate('drafts.save', { conversation, mode: 'reply', version, text, ...more });
const upload = async () => (await uploadTo(api, 'hello', 'hello.txt', 'text/plain')).body.data;

describe('drafts', () => {
  it('are kept per thread and mode, each save one version on', async () => {
    const conversation = await thread();
    expect(await get(conversation)).toEqual({
      conversation,
      mode: 'reply',
      text: '',
      media: [],
      reply_to: null,
      mentions: [],
      version: 0,
      updated_at: null,
    });
    expect(dataOf(await save(conversation, 0, 'Hi')).version).toBe(1);
    expect(dataOf(await save(conversation, 1, 'Hi Ana')).version).toBe(2);
    await save(conversation, 0, 'to Bob', { mode: 'note', mentions: [company.owner.email] });
    expect(await get(conversation)).toMatchObject({ text: 'Hi Ana', version: 2 });
    expect(await get(conversation, 'note')).toMatchObject({
      text: 'to Bob',
      mentions: [company.owner.email],
    });
    const { data } = (await page.query('drafts.list')).body.result.data;
    expect(data.map(({ text }: Draft) => text)).toEqual(expect.arrayContaining(['Hi Ana', 'to Bob']));
    const graphql = await page.graphql(
      'query ($c: ID!) { draft(conversation: $c, mode: reply) { text version } drafts(first: 1) { mode } }',
      { c: conversation },
    );
    expect(graphql.body.data).toMatchObject({ draft: { text: 'Hi Ana', version: 2 }, drafts: [{}] });
  });

  it('refuse an older version with 409, but the same content once more is no change', async () => {
    const conversation = await thread();
    await save(conversation, 0, 'one');
    await save(conversation, 1, 'two');
    for (const version of [0, 1, 7]) {
      const late = await save(conversation, version, 'late');
      expect(late.status).toBe(409);
      expect(late.body.error.data.error.code).toBe('conflict');
    }
    expect(dataOf(await save(conversation, 1, 'two')).version).toBe(2);
    const racing = await Promise.all(['a', 'b', 'c'].map((text) => save(conversation, 2, text)));
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const first = await thread();
    const opening = await Promise.all(['a', 'b', 'c'].map((text) => save(first, 0, text)));
    expect(opening.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('are emptied by the send that names them, only when it is accepted', async () => {
    const conversation = await thread();
    await save(conversation, 0, 'Soon');
    const refused = await page.mutate('drafts.send', { conversation, text: 'x'.repeat(5_000), draft: 1 });
    expect(refused.status).toBe(422);
    expect(await get(conversation)).toMatchObject({ text: 'Soon', version: 1 });
    const sent = await page.mutate('drafts.send', { conversation, text: 'Soon', draft: 1, hold_seconds: 0 });
    expect(sent.body.result.data.data).toMatchObject({ conversation, text: 'Soon', direction: 'outbound' });
    expect(await get(conversation)).toMatchObject({ text: '', version: 2 });
    expect((await save(conversation, 1, 'a save that was under way')).status).toBe(409);
    const unsaved = await thread();
    await page.mutate('drafts.send', { conversation: unsaved, text: 'Quick', draft: 0 });
    expect((await save(unsaved, 0, 'Quic')).status).toBe(409);
  });

  it('stay when a newer one was saved meanwhile', async () => {
    const conversation = await thread();
    await save(conversation, 0, 'first');
    await save(conversation, 1, 'second');
    expect((await page.mutate('drafts.send', { conversation, text: 'first', draft: 1 })).status).toBe(200);
    expect(await get(conversation)).toMatchObject({ text: 'second', version: 2 });
    const deleted = await page.mutate('drafts.delete', { conversation, mode: 'reply', version: 2 });
    expect(dataOf(deleted)).toMatchObject({ text: '', version: 3 });
  });

  it('of notes go with the note', async () => {
    const conversation = await thread();
    await save(conversation, 0, 'Careful', { mode: 'note' });
    const noted = await page.mutate('drafts.addNote', { conversation, body: 'Careful', draft: 1 });
    expect(noted.body.result.data.data).toMatchObject({ kind: 'note', text: 'Careful' });
    expect(await get(conversation, 'note')).toMatchObject({ text: '', version: 2 });
  });

  it('keep their files while they live', async () => {
    const conversation = await thread();
    const [kept, dropped, sent] = [await upload(), await upload(), await upload()];
    const urls = [kept, dropped, sent].map(({ url }) => url);
    expect(dataOf(await save(conversation, 0, '', { media_urls: urls })).media).toHaveLength(3);
    const after = await save(conversation, 1, '', { media_urls: [kept.url, sent.url] });
    expect(dataOf(after).media.map(({ id }) => id)).toEqual([kept.id, sent.id]);
    const left = async (days: number) => {
      const later = { now: () => new Date(Date.now() + days * 86_400_000) };
      await acrossTenants(() => removeUnusedMedia({ ...server().app, clock: later }));
      return Promise.all(urls.map(async (url) => (await fetch(url)).status));
    };
    expect(await left(2)).toEqual([200, 404, 200]);
    const answer = await page.mutate('drafts.send', { conversation, media_url: sent.url, draft: 2 });
    expect(answer.status).toBe(200);
    expect(await left(2)).toEqual([404, 404, 200]);
  });

  it.each([
    [{ text: 'x'.repeat(4_097) }, 'text', 'max'],
    [{ text: '', media_urls: ['https://example.com/a.png'] }, 'media_urls.0', 'unknown_id'],
    [{ text: '', media_urls: Array.from({ length: 11 }, () => 'x') }, 'media_urls', 'max'],
    [{ text: '', mentions: ['nobody'] }, 'mentions.0', 'format'],
    [{ text: '', mode: 'shout' }, 'mode', 'enum'],
    [{ text: '', version: -1 }, 'version', 'min'],
  ])('refuse what is wrong: %#', async (input, param, code) => {
    const conversation = await thread();
    const answer = await page.mutate('drafts.save', { conversation, mode: 'reply', version: 0, ...input });
    expect(answer.status).toBe(422);
    expect(answer.body.error.data.error.details[0]).toMatchObject({ param, code });
    expect((await get(conversation)).version).toBe(0);
  });

  it('are nobody else’s, and no key’s', async () => {
    const conversation = await thread();
    await save(conversation, 0, 'mine');
    const { app } = server();
    const email = 'other@example.com';
    await createAgent(app, { company: company.id, email, name: 'Other', password: ownerPassword });
    const other = new Page(server().url);
    expect((await other.signIn(email)).status).toBe(200);
    expect(await get(conversation, 'reply', other)).toMatchObject({ text: '', version: 0 });
    expect((await api.trpc('query', 'drafts.list', {})).status).toBe(403);
    const stranger = await ownerPage(server().url, await server().company());
    expect((await stranger.query('drafts.get', { conversation, mode: 'reply' })).status).toBe(404);
  });

  it('are not kept in test mode', async () => {
    const own = await ownerPage(server().url, company);
    own.mode = 'test';
    const { data } = (await own.query('conversations.list', { limit: 1 })).body.result.data;
    const place = { conversation: data[0].id, mode: 'reply' };
    expect((await own.mutate('drafts.save', { ...place, version: 0, text: 'Hi' })).status).toBe(200);
    expect(dataOf(await own.query('drafts.get', place)).version).toBe(0);
  });

  it('are told to the user’s other connections', async () => {
    const conversation = await thread();
    const { key } = (await api.get('/broadcasting')).body.data;
    const client = pusherClient(server().url, key, String(api.key));
    await settled(server().app);
    const told = listen(await subscribed(client.subscribe(`private-user.${company.owner.id}`)));
    await save(conversation, 0, 'live');
    await heard(told, 'draft.updated');
    expect(told[0]?.[1]).toMatchObject({ data: { object: { conversation, mode: 'reply', version: 1 } } });
    client.disconnect();
  });
});
