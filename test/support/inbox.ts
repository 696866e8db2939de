import type { Page as BrowserPage } from 'playwright-core';
import { expect } from 'vitest';
import { createAgent } from '../../server/account/agents.ts';
import { ownerPassword, Page } from './page.ts';
import type { TestCompany, TestServer } from './server.ts';

let agents = 0;

/** A second agent of a company, who works through the dashboard's calls. */
export async function colleague(
  { app, url }: TestServer,
  company: TestCompany,
  name: string,
): Promise<{ page: Page; email: string }> {
  const email = `agent-${++agents}-${process.pid}@example.com`;
  await createAgent(app, { company: company.id, email, name, password: ownerPassword });
  const page = new Page(url);
  const { status, text } = await page.signIn(email);
  if (status !== 200) throw new Error(`Not signed in: ${text}`);
  return { page, email };
}

/** The names of the conversations on the screen, from the top. */
export function namesIn(page: BrowserPage): Promise<string[]> {
  return page
    .locator('[role=option]')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => Number(a.getAttribute('aria-posinset')) - Number(b.getAttribute('aria-posinset')))
        .map((row) => row.querySelector('.row-name')?.textContent ?? ''),
    );
}

/** Scrolls the list down until all of it is loaded. */
export async function scrollToEnd(page: BrowserPage): Promise<void> {
  const list = page.locator('.rows-scroller');
  await page.getByRole('option').first().waitFor();
  const size = async () => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    return page.locator('[role=option][aria-setsize]').last().getAttribute('aria-setsize');
  };
  await expect.poll(size, { timeout: 60_000 }).not.toBe('-1');
  // The last page came after the last scroll.
  await size();
}
