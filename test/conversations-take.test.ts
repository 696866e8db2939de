import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { eventsOf } from './support/log.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;
let ann: Page;
let bob: Page;
const bobs = 'bob@example.com';

beforeAll(async () => {
  company = await server().company();
  ann = await ownerPage(server().url, company);
  await createAgent(server().app, { company: company.id, email: bobs, name: 'Bob', password: ownerPassword });
  bob = new Page(server().url);
  await bob.signIn(bobs);
});

const create = async () => (await insertConversations(server().app, company.id, 1))[0]!;
const take = (page: Page, conversation: string, from: string | null) =>
  page.mutate('conversations.take', { conversation, from });
const holder = async (id: string) =>
  (await ann.query('conversations.show', { conversation: id })).body.result.data.data.assignee?.email;

describe('taking a conversation', () => {
  it('gives it to the first of two, tells the other who has it, and happens once', async () => {
    const id = await create();
    const answers = await Promise.all([take(ann, id, null), take(bob, id, null)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refusal = answers.find(({ status }) => status === 409)!.body.error.data.error;
    const has = await holder(id);
    const name = has === bobs ? 'Bob' : 'Owner';
    expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringContaining(name) });
    const events = await eventsOf(server().app, id);
    expect(events.map(({ type }) => type)).toEqual(['conversation.assigned']);
  });

  it('takes over from whom one knows it with, and from nobody else', async () => {
    const id = await create();
    expect((await take(bob, id, null)).status).toBe(200);
    expect((await take(bob, id, null)).status).toBe(200);
    expect((await take(ann, id, null)).status).toBe(409);
    expect((await take(ann, id, 'someone@example.com')).status).toBe(409);
    expect(await holder(id)).toBe(bobs);
    expect((await take(ann, id, bobs.toUpperCase())).status).toBe(200);
    expect(await holder(id)).toBe(company.owner.email);
    expect(await eventsOf(server().app, id)).toHaveLength(2);
  });

  it('is refused for what is unknown or wrong, and to keys', async () => {
    const id = await create();
    expect((await take(ann, 'x', null)).status).toBe(404);
    expect((await take(ann, id, 'nonsense')).status).toBe(422);
    const api = await company.client();
    expect((await api.trpc('mutation', 'conversations.take', { conversation: id, from: null })).status).toBe(
      403,
    );
    expect(await eventsOf(server().app, id)).toEqual([]);
  });
});

describe('who edits what', () => {
  it('is listed while the lock holds', async () => {
    const id = await create();
    const editing = async () => (await ann.query('conversations.editing')).body.result.data.data;
    expect(await editing()).toEqual([]);
    await bob.mutate('conversations.updatePresence', { conversation: id, action: 'claim', typing: true });
    expect(await editing()).toEqual([
      { conversation: id, locked: true, locked_by_other: true, editing_by: 'Bob', is_me: false },
    ]);
    await bob.mutate('conversations.updatePresence', { conversation: id, action: 'release' });
    expect(await editing()).toEqual([]);
  });
});
