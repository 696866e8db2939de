import type { Locator, Page } from 'playwright-core';

/** A booking in the calendar, by the start of its name. */
export const bookingOn = (page: Page, title: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${title}\\b`) });

/**
 * Drags what stands in the calendar by so many hours.
 * @param edge `end` to drag its lower edge, which makes it longer
 */
export async function dragBy(page: Page, booking: Locator, hours: number, edge?: 'end'): Promise<void> {
  await booking.scrollIntoViewIfNeeded();
  const hour = await page.locator('.calendar').evaluate(hourIn);
  const box = await booking.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  const x = box.x + box.width / 2;
  // In the middle of its first quarter of an hour: what it snaps to is sure.
  const y = edge ? box.y + box.height - 3 : box.y + hour / 8;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + (hours * hour) / 2, { steps: 4 });
  await page.mouse.move(x, y + hours * hour, { steps: 4 });
  await page.mouse.up();
}

/** Height of an hour: there is a line for each quarter. */
function hourIn(calendar: Element): number {
  const tops = [...calendar.querySelectorAll('[data-time]')].map((line) => line.getBoundingClientRect().top);
  const times = new Set(
    [...calendar.querySelectorAll('[data-time]')].map((line) => line.getAttribute('data-time')),
  );
  return ((Math.max(...tops) - Math.min(...tops)) / (times.size - 1)) * 4;
}
