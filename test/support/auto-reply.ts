import { afterEach, beforeEach, expect } from 'vitest';
import { updateAiSettings } from '../../server/ai/settings.ts';
import { execute } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { assist, ok } from './ai.ts';
import type { Client } from './client.ts';
import { expectConsistent } from './ledgers.ts';
import { type TestCompany, useServer } from './server.ts';
import { addSimulator, deliver } from './simulator.ts';

/** A message or a conversation as tests read it. */
// eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of many shapes
type Body = Record<string, any>;

export const customerPhone = '+351915000001';
/** As long as a test takes, and longer. */
export const longHold = 120;

/** What a test of automatic replies works with. */
export interface AutoReply {
  company: TestCompany;
  api: Client;
  /** Id of the simulator. */
  channel: string;
  /** How often the provider was asked. */
  asked: number;
}

/**
 * Before each test of a file a company of its own, in which AI answers everything; after each, its rows agree. The
 * file mocks `server/ai/select.ts`.
 */
export function useAutoReply() {
  const server = useServer();
  const state = {} as AutoReply;
  const ctx = () => systemContext(server().app, state.company.id);
  const settings = async (change: object) => execute(updateAiSettings, await ctx(), change);
  const drafts = (draft: { text: string | null; handoff: boolean }) =>
    assist({
      reply: async () => {
        state.asked++;
        return ok(draft);
      },
    });
  const answersWith = (text: string | null) => drafts({ text, handoff: false });
  const writes = (text = 'When are you open?', from = customerPhone) =>
    deliver(server().app, state.company.id, state.channel, { from, text });
  const messages = async (): Promise<Body[]> =>
    (await state.api.get('/messages', { limit: 100 })).body.data.reverse();
  const inbound = async () => (await messages()).filter(({ direction }) => direction === 'inbound');
  const replies = async () => (await messages()).filter(({ ai_generated: ai }) => ai);
  const statuses = async () => (await replies()).map(({ status }) => status);
  const thread = async (): Promise<Body> => (await state.api.get('/conversations')).body.data[0];
  const until = (statement: () => Promise<unknown>) => expect.poll(statement, { timeout: 20_000 });
  /** Until nothing is left to think about, and of the other queues nothing to do. */
  const idle = (...others: string[]) =>
    until(async () => {
      const { rows } = await server().app.pool.query(
        `SELECT count(*)::int AS n FROM jobs.job WHERE state < 'completed' AND name = ANY ($2)
           AND data ->> 'companyId' = $1`,
        [state.company.id, ['ai.reply', 'channels.received', 'messages.cancel', ...others]],
      );
      return rows[0].n;
    }).toBe(0);
  /** The customer has written, and AI holds its answer. */
  const held = async (): Promise<Body> => {
    await writes();
    await until(statuses).toEqual(['held']);
    return (await replies())[0] ?? {};
  };
  /** The customer has written, and AI does not answer. */
  const silence = async (text?: string) => {
    const before = (await inbound()).length;
    await writes(text);
    await until(async () => (await inbound()).length).toBe(before + 1);
    await idle();
    expect(await replies()).toEqual([]);
  };

  beforeEach(async () => {
    state.company = await server().company();
    state.api = await state.company.client();
    state.channel = (await addSimulator(server().app, state.company.id, { ai_auto_reply: true })).id;
    state.asked = 0;
    await settings({ auto_reply: true, hold_seconds: longHold });
    answersWith('We are open from nine to six.');
  });
  afterEach(async () => {
    await idle();
    await expectConsistent(server().app, state.company.id);
  });

  return {
    server,
    state,
    ctx,
    settings,
    drafts,
    answersWith,
    writes,
    messages,
    inbound,
    replies,
    statuses,
    thread,
    until,
    idle,
    held,
    silence,
  };
}
