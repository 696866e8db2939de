import { beforeAll, beforeEach } from 'vitest';
import type { Proposal } from '../../schema/ai.ts';
import { assist, assistance, ok } from './ai.ts';
import type { Client } from './client.ts';
import { insertConversations } from './rows.ts';
import { type TestCompany, useServer } from './server.ts';

/** What a test of suggestions works with. */
export interface Suggestions {
  company: TestCompany;
  api: Client;
  /** Id of a tag. */
  vip: string;
}

/** A company for the tests of a file, without a provider before each. The file mocks `server/ai/select.ts`. */
export function useSuggestions() {
  const server = useServer();
  const state = {} as Suggestions;
  const create = async (row = {}): Promise<string> =>
    (await insertConversations(server().app, state.company.id, 1, () => row))[0]!;
  const at = (id: string, rest = '') => `/conversations/${id}/ai-suggestions${rest}`;
  const generate = (id: string, client = state.api) => client.post(at(id, '/generate'));
  const pending = async (id: string) => (await state.api.get(at(id))).body.data;
  const history = async (id: string) => (await state.api.get(at(id, '/history'))).body.data;
  const proposes = (...proposals: Proposal[]) => assist({ suggest: async () => ok(proposals) });
  const reply = (text: string): Proposal => ({ kind: 'reply', text });
  const count = async (id: string) =>
    (await state.api.get(`/conversations/${id}`)).body.data.ai.pending_suggestions;
  const rows = async (sql: string, ...values: unknown[]) =>
    (await server().app.pool.query(sql, values as never)).rows;
  /** A conversation with these suggestions. */
  const suggested = async (...proposals: Proposal[]) => {
    const id = await create();
    proposes(...proposals);
    await generate(id);
    return { id, suggestions: await pending(id) };
  };

  beforeAll(async () => {
    state.company = await server().company();
    state.api = await state.company.client();
    state.vip = (await state.api.post('/tags', { name: 'VIP', color: '#B45309' })).body.data.id;
  });
  beforeEach(() => {
    assistance.provider = undefined;
  });

  return {
    server,
    state,
    create,
    at,
    generate,
    pending,
    history,
    proposes,
    reply,
    count,
    rows,
    suggested,
  };
}
