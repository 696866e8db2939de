import { beforeAll, describe, expect, it } from 'vitest';
import { Conversation } from '../schema/conversations.ts';
import type { Client } from './support/client.ts';
import { eventsOf } from './support/log.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const create = async (row = {}): Promise<string> => {
  const [id] = await insertConversations(server().app, company.id, 1, () => row);
  return id!;
};
const act = (id: string, word: string, body?: unknown) => api.post(`/conversations/${id}/${word}`, body);
const show = async (id: string): Promise<Conversation> =>
  Conversation.parse((await api.get(`/conversations/${id}`)).body.data);

describe('tags', () => {
  it('attach and detach, once, and stay in step with the row', async () => {
    const id = await create();
    const tags = await Promise.all(
      ['b', 'a'].map(async (name) => (await api.post('/tags', { name: `${name} ${id}` })).body.data),
    );
    for (const tag of [...tags, tags[0]]) expect((await act(id, 'tags', { tag: tag.id })).status).toBe(200);
    expect((await show(id)).tags).toEqual(tags.map(({ id: tag, name, color }) => ({ id: tag, name, color })));
    const stored = async () => {
      const { rows } = await server().app.pool.query(
        `SELECT tag_ids, ARRAY(SELECT tag_id FROM conversation_tags t WHERE t.conversation_id = c.id) AS attached
         FROM conversations c WHERE id = $1`,
        [id],
      );
      return [rows[0].tag_ids.sort(), rows[0].attached.sort()];
    };
    let [ids, attached] = await stored();
    expect(ids).toEqual(attached);
    const path = `/conversations/${id}/tags/${tags[0].id}`;
    expect((await api.delete(path)).body.data.tags).toHaveLength(1);
    expect((await api.delete(path)).status).toBe(200);
    [ids, attached] = await stored();
    expect(ids).toEqual(attached);
    const events = await eventsOf(server().app, id);
    expect(events.map(({ type }) => type)).toEqual([
      'conversation.tagged',
      'conversation.tagged',
      'conversation.untagged',
    ]);
    expect(events[0]!.data.details).toEqual({
      tag: { id: tags[0].id, name: tags[0].name, color: tags[0].color },
    });
    await api.delete(`/tags/${tags[1].id}`);
    expect((await show(id)).tags).toEqual([]);
    expect(await stored()).toEqual([[], []]);
  });

  it('unknown: 422 to attach, 404 to detach', async () => {
    const id = await create();
    for (const tag of ['x', '01JQZ7K3M9V5T2XH8C4B6N0DFX']) {
      const attach = await act(id, 'tags', { tag });
      expect(attach.status).toBe(422);
      expect(attach.body.error.details[0]).toMatchObject({ param: 'tag', code: 'unknown_id' });
      expect((await api.delete(`/conversations/${id}/tags/${tag}`)).status).toBe(404);
    }
    for (const tag of [undefined, null, '', 'x'.repeat(27)])
      expect((await act(id, 'tags', { tag })).body.error.param).toBe('tag');
  });
});

describe('flush-held', () => {
  it('sends the batch once, however many ask', async () => {
    const id = await create();
    const held = {
      direction: 'outbound',
      status: 'held',
      held_until: new Date(Date.now() + 60_000),
    } as const;
    await insertMessages(server().app, company.id, id, [
      { text: 'one', held_origin: 'ai', ...held },
      { text: 'two', held_origin: 'undo', ...held },
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(id, 'flush-held')));
    expect(answers.filter(({ body }) => body.data.flushed === true)).toHaveLength(1);
    expect((await act(id, 'flush-held')).body).toEqual({ data: { flushed: false } });
    const { rows } = await server().app.pool.query(
      "SELECT 1 FROM messages WHERE conversation_id = $1 AND status = 'held'",
      [id],
    );
    expect(rows).toEqual([]);
    expect((await show(id)).held).toBeNull();
    const jobs = await server().app.pool.query(
      `SELECT data FROM jobs.job WHERE name = 'messages.send' AND data->>'conversationId' = $1`,
      [id],
    );
    expect(jobs.rows).toEqual([{ data: { companyId: company.id, conversationId: id } }]);
  });
});
