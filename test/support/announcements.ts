import type { Page } from 'playwright-core';

/** Keeps what a screen reader would be told from now on, one entry for each time that a live region changes. */
export async function hearAnnouncements(page: Page): Promise<void> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const regions = '[role=status], [role=alert], [role=log], [aria-live]';
    const before = new Map<Element, string>();
    for (const region of document.querySelectorAll(regions)) before.set(region, region.textContent ?? '');
    new MutationObserver((changes) => {
      const changed = new Set<Element>();
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(regions);
        if (region) changed.add(region);
      }
      for (const region of changed) {
        const text = region.textContent ?? '';
        const silent = region.getAttribute('aria-live') === 'off' || region.closest('[aria-hidden=true]');
        if (silent || text === before.get(region)) continue;
        before.set(region, text);
        if (text !== '') said.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** What was said since. */
export function announcements(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(Reflect.get(window, 'said') as string[])]);
}
