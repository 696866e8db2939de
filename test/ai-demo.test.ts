import { beforeAll, expect, it } from 'vitest';
import { type Demo, ensureDemo } from '../server/demo/demo.ts';
import { customerWrites } from '../server/demo/traffic.ts';
import { Client } from './support/client.ts';
import { expectConsistent } from './support/ledgers.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let demo: Demo;
let api: Client;

beforeAll(async () => {
  const made = await ensureDemo(server().app);
  if (!made) throw new Error('There is no demo company.');
  demo = made;
  api = new Client(server().url, demo.keys.live);
});

interface Thread {
  id: string;
  ai: { pending_suggestions: number };
}
const waiting = async (): Promise<Thread[]> =>
  (await api.get('/conversations', { limit: 100 })).body.data.filter(
    ({ ai }: Thread) => ai.pending_suggestions > 0,
  );

it('the demo company shows suggestions and insights without a key of any provider', async () => {
  const threads = await waiting();
  expect(threads.length).toBeGreaterThanOrEqual(5);
  const kinds = new Set<string>();
  for (const { id, ai } of threads) {
    const suggestions = (await api.get(`/conversations/${id}/ai-suggestions`)).body.data;
    expect(suggestions).toHaveLength(ai.pending_suggestions);
    for (const { kind } of suggestions) kinds.add(kind);
    const insights = (await api.get(`/conversations/${id}/ai-insights`)).body.data;
    expect(insights.ai_ops.length).toBeGreaterThan(0);
  }
  expect([...kinds].sort()).toEqual(['reply', 'tag', 'tip']);
  await ensureDemo(server().app);
  expect(await waiting()).toEqual(threads);
  await expectConsistent(server().app, demo.company.id);
});

it('a customer of the demo who writes gets new suggestions', async () => {
  expect(await customerWrites(server().app)).toBe(true);
  const [newest] = (await api.get('/conversations', { limit: 1 })).body.data;
  const history = (await api.get(`/conversations/${newest.id}/ai-suggestions/history`)).body.data;
  expect(history.length).toBeGreaterThanOrEqual(newest.ai.pending_suggestions);
  await expectConsistent(server().app, demo.company.id);
});
