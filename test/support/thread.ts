import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createAgent } from '../../server/account/agents.ts';
import type { Client } from './client.ts';
import { ownerPassword } from './page.ts';
import type { TestCompany, TestServer } from './server.ts';
import { addSimulator, deliver } from './simulator.ts';

/** A company with one customer who has written, and somebody to answer. */
export interface ThreadScene {
  company: TestCompany;
  api: Client;
  channel: string;
  /** Id of the conversation. */
  id: string;
  path: string;
  /** The customer writes. */
  writes(...texts: string[]): Promise<void>;
  /** Another agent, with a login. @returns the e-mail */
  agent(name: string): Promise<string>;
}

let agents = 0;

interface Options {
  /** What the customer writes first. */
  first?: string;
  name?: string;
  /** Phone of the customer. */
  from?: string;
}

export async function threadScene(
  server: TestServer,
  { first = 'Good morning!', name = 'Ana Antunes', from = '+351912345678' }: Options = {},
): Promise<ThreadScene> {
  const company = await server.company('Casa');
  const api = await company.client();
  const { id: channel } = await addSimulator(server.app, company.id);
  const writes = async (...texts: string[]) => {
    for (const text of texts) await deliver(server.app, company.id, channel, { from, text, name });
  };
  await writes(first);
  await expect.poll(async () => (await api.get('/conversations')).body.data.length).toBe(1);
  const { id } = (await api.get('/conversations')).body.data[0];
  return {
    company,
    api,
    channel,
    id,
    path: `/conversations/${id}`,
    writes,
    async agent(agentName) {
      const email = `agent-${++agents}-${process.pid}@example.com`;
      await createAgent(server.app, { company: company.id, email, name: agentName, password: ownerPassword });
      return email;
    },
  };
}

/** Parts of the page that tests speak of. */
export const thread = (page: Page) => page.getByRole('log');
export const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
export const articles = (page: Page, text: string) =>
  thread(page).getByRole('article').filter({ hasText: text });
export const writeNote = (page: Page) => page.locator('label').filter({ hasText: 'Private note' }).click();
