import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { type TestCompany, useServer } from '../support/server.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the tools for developers', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  let company: TestCompany;

  beforeAll(async () => {
    company = await server().company('Casa');
  });

  /** Of a page of somebody else's making nothing critical, and of what is serious only what is known. */
  const expectNothingWorse = async (page: Page, known: readonly string[]) => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'critical' || impact === 'serious');
    expect(
      grave
        .map(
          ({ id, impact, nodes }) =>
            `${impact} ${id} ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
        )
        .filter((one) => !known.includes(one.split(' ')[1]!)),
    ).toEqual([]);
  };

  it('the GraphQL explorer runs a query, a mutation and a subscription', async () => {
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/developers/graphql');
    const frame = page.frameLocator('iframe[title="GraphQL explorer"]');
    const run = frame.getByRole('button', { name: 'Execute query' });
    await run.click();
    await page.waitForTimeout(4000);
    console.log(owner.faults);
    await page.screenshot({ path: '/tmp/shots-dev/explorer.png' });
    await expectNothingWorse(page, []);
  });

  it('the REST reference', async () => {
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/developers/rest');
    await page.getByRole('button', { name: 'Try it with a new test key' }).click();
    await page.getByText('Requests that you try').waitFor();
    const frame = page.frameLocator('iframe[title="REST reference"]');
    await frame.getByRole('heading', { name: 'Parlour' }).first().waitFor();
    await page.screenshot({ path: '/tmp/shots-dev/reference.png' });
    await expectNothingWorse(page, []);
  });
});
