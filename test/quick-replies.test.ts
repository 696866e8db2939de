import { beforeAll, describe, expect, it } from 'vitest';
import { QuickReply } from '../schema/quick-replies.ts';
import { renderQuickReply } from '../server/quick-replies/render.ts';
import { newId } from '../server/platform/ids.ts';
import type { Client } from './support/client.ts';
import { uploadTo } from './support/media.ts';
import { ownerPage } from './support/page.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

describe('quick replies', () => {
  it('are created with the variables of their text', async () => {
    const text = 'Hi {{ contact.first_name |there}}, order {{order.number}} of {{contact.first_name}}';
    const answer = await api.post('/quick-replies', {
      shortcut: 'hi',
      text,
      title: 'Hi',
      category: 'General',
    });
    expect(answer.status).toBe(201);
    expect(QuickReply.parse(answer.body.data)).toMatchObject({
      shortcut: 'hi',
      text,
      title: 'Hi',
      category: 'General',
      variables: ['contact.first_name', 'order.number'],
      media: null,
      usage_count: 0,
      created_by: { email: company.owner.email },
    });
  });

  it.each([
    [{ text: 'x' }, 'shortcut', 'required'],
    [{ shortcut: 'a' }, 'text', 'required'],
    [{ shortcut: '', text: 'x' }, 'shortcut', 'required'],
    [{ shortcut: 'Hi', text: 'x' }, 'shortcut', 'format'],
    [{ shortcut: '-a', text: 'x' }, 'shortcut', 'format'],
    [{ shortcut: 'a b', text: 'x' }, 'shortcut', 'format'],
    [{ shortcut: 'a'.repeat(51), text: 'x' }, 'shortcut', 'max'],
    [{ shortcut: 'hi', text: 'x' }, 'shortcut', 'duplicate'],
    [{ shortcut: 'a', text: '' }, 'text', 'required'],
    [{ shortcut: 'a', text: 'x'.repeat(4097) }, 'text', 'max'],
    [{ shortcut: 'a', text: 'Hi {{contact.phone}}' }, 'text', 'enum'],
    [{ shortcut: 'a', text: 'Hi {{}}' }, 'text', 'enum'],
    [{ shortcut: 'a', text: 'x', title: 'x'.repeat(101) }, 'title', 'max'],
    [{ shortcut: 'a', text: 'x', category: 'x'.repeat(51) }, 'category', 'max'],
    [{ shortcut: 'a', text: 'x', media_url: 'https://example.com/a.png' }, 'media_url', 'unknown_id'],
  ])('refuse %j', async (body, param, code) => {
    const answer = await api.post('/quick-replies', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });

  it('carry an own file, which is kept from then on', async () => {
    const { data: file } = (await uploadTo(api, 'hello', 'a.txt', 'text/plain')).body;
    const { data } = (await api.post('/quick-replies', { shortcut: 'file', text: 'x', media_url: file.url }))
      .body;
    expect(data.media).toEqual({
      id: file.id,
      url: file.url,
      kind: 'document',
      mime_type: 'text/plain',
      size: 5,
      filename: 'a.txt',
    });
    const { rows } = await server().app.pool.query('SELECT expires_at FROM media WHERE id = $1', [file.id]);
    expect(rows).toEqual([{ expires_at: null }]);
    const other = await (await server().company()).client();
    const foreign = await other.post('/quick-replies', { shortcut: 'file', text: 'x', media_url: file.url });
    expect(foreign.body.error.details[0]).toMatchObject({ param: 'media_url', code: 'unknown_id' });
  });

  it('are listed by shortcut, searched and paged', async () => {
    const other = await (await server().company()).client();
    for (const shortcut of ['b', 'a_2', 'a-1', 'c'])
      await other.post('/quick-replies', {
        shortcut,
        text: `Text of ${shortcut} ${shortcut === 'c' ? '100%' : ''}`,
      });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await other.get('/quick-replies', { limit: 1, ...(cursor ? { cursor } : {}) });
      seen.push(...body.data.map((row: QuickReply) => row.shortcut));
      cursor = body.meta.next_cursor;
    } while (cursor);
    expect(seen).toHaveLength(4);
    expect([...seen].sort()).toEqual(['a-1', 'a_2', 'b', 'c']);
    const found = (await other.get('/quick-replies', { q: '100%' })).body.data;
    expect(found.map((row: QuickReply) => row.shortcut)).toEqual(['c']);
  });

  it('are changed and removed in the dashboard only', async () => {
    const { id } = (await api.post('/quick-replies', { shortcut: 'fixed', text: 'x' })).body.data;
    for (const name of ['update', 'delete']) {
      const answer = await api.trpc('mutation', `quickReplies.${name}`, { quick_reply: id, text: 'y' });
      expect(answer.status).toBe(403);
    }
    expect((await api.patch(`/quick-replies/${id}`, { text: 'y' })).status).toBe(404);
    const graphql = await api.graphql(`mutation { deleteQuickReply(quickReply: "${id}") { id } }`);
    expect(graphql.body.errors[0].extensions.code).toBe('forbidden');
  });

  it('are read in a conversation before they are sent, by the dashboard alone', async () => {
    const page = await ownerPage(server().url, company);
    const contact = (await api.post('/contacts', { name: 'Ana Sousa' })).body.data.id;
    const [conversation = ''] = await insertConversations(server().app, company.id, 1, () => ({
      contact_id: contact,
    }));
    const text = 'Hi {{contact.first_name}}, {{ order.number }} {{order.number|soon}} {{agent.name}}';
    const { id, created_by: agent } = (await api.post('/quick-replies', { shortcut: 'preview', text })).body
      .data;
    const read = (input: object) =>
      page.query('quickReplies.preview', { quick_reply: id, conversation, ...input });
    expect((await read({})).body.result.data).toEqual({
      data: { text: `Hi Ana, {{order.number}} soon ${agent.name}`, media: null },
    });
    for (const input of [{ conversation: newId() }, { quick_reply: newId() }])
      expect((await read(input)).status).toBe(404);
    expect((await api.trpc('query', 'quickReplies.preview', { quick_reply: id, conversation })).status).toBe(
      403,
    );
    expect((await api.get('/quick-replies', { q: 'preview' })).body.data[0].usage_count).toBe(0);
  });

  it('are the same over GraphQL', async () => {
    const created = await api.graphql(
      `mutation ($input: QuickReplyCreateInput!) {
        createQuickReply(input: $input) { id shortcut text variables usageCount media { url } createdBy { email } }
      }`,
      { input: { shortcut: 'graph', text: 'Hello {{agent.name}}' } },
    );
    const reply = created.body.data.createQuickReply;
    expect(reply).toMatchObject({ shortcut: 'graph', variables: ['agent.name'], usageCount: 0, media: null });
    const listed = await api.graphql('{ quickReplies(q: "graph") { items { id } hasMore } }');
    expect(listed.body.data.quickReplies).toEqual({ items: [{ id: reply.id }], hasMore: false });
  });
});

describe('a text', () => {
  const values = {
    contact: { name: 'Ana  Sousa ' },
    agent: { name: 'Rui' },
    company: { name: 'Casa Lume' },
    order: { number: 7 },
  };
  it.each([
    ['Hi {{contact.name}}', 'Hi Ana  Sousa'],
    ['Hi {{contact.first_name|there}}!', 'Hi Ana!'],
    ['{{agent.name}} of {{ company.name }}: order {{order.number|?}}', 'Rui of Casa Lume: order 7'],
    ['{{ }} {{{contact.first_name}}} {{contact', ' {Ana} {{contact'],
  ])('%s', (text, rendered) => expect(renderQuickReply(text, values)).toBe(rendered));

  it('falls back where there is no value, and never reads a value as a variable', () => {
    expect(renderQuickReply('Hi {{contact.first_name|there}}{{order.number}}', {})).toBe('Hi there');
    expect(renderQuickReply('{{contact.name}}', { contact: { name: '{{agent.name}} $1 $&' } })).toBe(
      '{{agent.name}} $1 $&',
    );
  });
});
