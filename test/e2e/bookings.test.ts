import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { bookingOn, dragBy } from '../support/calendar.ts';
import { colleague } from '../support/inbox.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the calendar of bookings', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const day = '/bookings?day=2031-03-04&zone=Europe%2FParis';

  it('scenario 41: moves and resizes by dragging; what is taken snaps back and offers the next free time', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const create = async (title: string, starts_at: string, minutes: number) =>
      (await api.post('/bookings', { title, starts_at, duration_minutes: minutes })).body.data;
    const fitting = await create('Fitting', '2031-03-04T08:00:00Z', 60);
    await create('Repair', '2031-03-04T12:00:00Z', 60);
    const times = async () => {
      const { starts_at, ends_at } = (await api.get(`/bookings/${fitting.id}`)).body.data;
      return `${starts_at.slice(11, 16)}–${ends_at.slice(11, 16)}`;
    };
    const visitor = await visit(server().url, wide);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, day);
    await page.getByText('Times in Europe/Paris (GMT+1)').waitFor();
    const booking = bookingOn(page, 'Fitting');
    await booking.waitFor();

    await dragBy(page, booking, 1);
    await page.getByText('Fitting is moved.').first().waitFor();
    await page.getByRole('button', { name: /^Fitting.*10:00.*11:00/ }).waitFor();
    expect(await times()).toBe('09:00–10:00');

    await dragBy(page, booking, 0.5, 'end');
    await page.getByRole('button', { name: /^Fitting.*10:00.*11:30/ }).waitFor();
    await expect.poll(times).toBe('09:00–10:30');

    await dragBy(page, booking, 2.5);
    const alert = page.getByRole('alert').filter({ hasText: 'is busy 13:00–14:00.' });
    await alert.waitFor();
    await page.getByRole('button', { name: /^Fitting.*10:00.*11:30/ }).waitFor();
    expect(await times()).toBe('09:00–10:30');
    await expectAccessible(visitor, 'bookings-clash');
    await alert.getByRole('button', { name: 'Next free: 14:00' }).click();
    await page.getByRole('button', { name: /^Fitting.*14:00.*15:30/ }).waitFor();
    await expect.poll(times).toBe('13:00–14:30');

    await booking.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Booking' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows agents as lanes, hours, busy times and a second zone, in every view', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const bob = await colleague(server(), company, 'Bob Reis');
    const slot = { starts_at: '2031-03-04T10:00:00Z', duration_minutes: 45 };
    await api.post('/bookings', { title: 'Fitting', ...slot });
    await api.post('/bookings', { title: 'Repair', ...slot, agent_email: bob.email });
    const visitor = await visit(server().url, wide);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `${day}&second=America%2FNew_York`);
    await bookingOn(page, 'Fitting').waitFor();
    await expectAccessible(visitor, 'bookings-week');
    await page.getByRole('button', { name: 'Bob Reis', exact: true }).click();
    await bookingOn(page, 'Fitting').waitFor({ state: 'detached' });
    await bookingOn(page, 'Repair').waitFor();
    await page.getByText('Bob Reis is busy').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('No bookings of these agents').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('No bookings yet in this time').waitFor();
    await expectAccessible(visitor, 'bookings-empty');
    await page.getByRole('button', { name: 'Earlier' }).click();
    const view = page.getByRole('combobox', { name: 'View' });
    await view.selectOption({ label: 'Month' });
    await page.getByText('March 2031', { exact: true }).waitFor();
    await bookingOn(page, 'Repair').waitFor();
    await expectAccessible(visitor, 'bookings-month');
    await view.selectOption({ label: 'List' });
    await bookingOn(page, 'Repair').waitFor();
    await expectAccessible(visitor, 'bookings-list');
  });

  it('shows one day on a phone', async () => {
    const company = await server().company('Casa');
    const slot = { starts_at: '2031-03-04T10:00:00Z', duration_minutes: 45 };
    await (await company.client()).post('/bookings', { title: 'Repair', ...slot });
    const visitor = await visit(server().url, narrow);
    await signIn(visitor, company.owner.email, day);
    await bookingOn(visitor.page, 'Repair').waitFor();
    await expect.poll(() => visitor.page.getByRole('combobox', { name: 'View' }).inputValue()).toBe('day');
    await expectAccessible(visitor, 'bookings-day');
  });

  it('scenario 41: keeps to the wall clock on the days when clocks change, wherever it is looked at', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const create = async (title: string, starts_at: string, ends_at: string) =>
      (await api.post('/bookings', { title, starts_at, ends_at })).body.data.id;
    const spring = await create('Spring', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z');
    await create('Autumn', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z');
    const visitor = await visit(server().url, wide, 'Asia/Kolkata');
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/bookings?view=day&day=2026-03-29');
    await page.getByText(/^Times in Asia\/(Kolkata|Calcutta) \(GMT\+5:30\)/).waitFor();
    await page.getByRole('button', { name: /^Spring.*29 March 2026.*06:00.*07:00/ }).waitFor();

    await page.goto('/bookings?view=day&day=2026-03-29&zone=Europe%2FParis');
    await page.getByText('From GMT+1 to GMT+2 in Europe/Paris.').waitFor();
    const booking = page.getByRole('button', { name: /^Spring.*29 March 2026.*01:30.*03:30/ });
    await booking.waitFor();
    await expectAccessible(visitor, 'bookings-dst');
    await dragBy(page, booking, 3);
    await page.getByText('Spring is moved.').waitFor();
    await expect
      .poll(async () => (await api.get(`/bookings/${spring}`)).body.data.starts_at)
      .toBe('2026-03-29T02:30:00.000Z');
    await page.getByRole('button', { name: /^Spring.*29 March 2026.*04:30/ }).waitFor();

    await page.goto('/bookings?view=day&day=2026-11-01&zone=America%2FNew_York');
    await page.getByText('From GMT-4 to GMT-5 in America/New York.').waitFor();
    await page.getByRole('button', { name: /^Autumn.*1 November 2026.*01:30 GMT-4.*01:30 GMT-5/ }).waitFor();
  });

  it('scenario 41: lets one of two tabs have a slot, and shows what others move', async () => {
    const company = await server().company('Casa');
    const bob = await colleague(server(), company, 'Bob Reis');
    const api = await company.client();
    const visitor = await visit(server().url, wide);
    const { page, context } = visitor;
    const form = `${day}&open=new&at=2031-03-04T10%3A00%3A00.000Z`;
    await signIn(visitor, company.owner.email, form);
    const other = await context.newPage();
    await other.goto(form);
    const tabs = [page, other];
    for (const [n, tab] of tabs.entries()) await tab.getByLabel('Title').fill(`Tab ${n}`);
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Save' }).click()));
    const outcomes = await Promise.all(
      tabs.map(async (tab) => {
        const busy = tab.getByText(/is busy 11:00–11:30/);
        await busy.or(tab.getByText('The booking is saved.')).waitFor();
        return (await busy.count()) === 1 ? 'busy' : 'saved';
      }),
    );
    expect(outcomes.toSorted()).toEqual(['busy', 'saved']);
    const { data } = (await api.get('/bookings', { from: '2031-03-04', to: '2031-03-05' })).body;
    expect(data.length).toBe(1);
    await other.close();

    await page.goto(day);
    await bookingOn(page, 'Tab').waitFor();
    const move = { booking: data[0].id, starts_at: '2031-03-04T13:00:00.000Z' };
    expect((await bob.page.mutate('bookings.update', move)).status).toBe(200);
    await page.getByRole('button', { name: /^Tab.*14:00.*14:30/ }).waitFor();
  });

  it('draws a week of 200 bookings', async () => {
    const company = await server().company('Casa');
    await server().app.pool.query(
      `INSERT INTO bookings (company_id, id, title, starts_at, ends_at, timezone, agent_id)
       SELECT $1, '01JQZ7K3M9V5T2XH8C4D' || lpad(n::text, 6, '0'), 'Fitting ' || n, t, t + interval '15 minutes', 'UTC',
         $2
       FROM generate_series(0, 199) n,
         LATERAL (SELECT timestamptz '2031-03-03 08:00Z' + n / 29 * interval '1 day' + n % 29 * interval '20 minutes' AS t)
           AS at`,
      [company.id, company.owner.id],
    );
    const visitor = await visit(server().url, wide);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `/bookings?day=2031-03-02&zone=UTC`);
    await page.getByText('No bookings yet in this time').waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    await bookingOn(page, 'Fitting 199').waitFor();
    await expect.poll(() => page.locator('.booking-event').count()).toBe(200);
    // All is known now; what is measured is the drawing.
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByText('No bookings yet in this time').waitFor();
    const protocol = await visitor.context.newCDPSession(page);
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async () => {
      const { metrics } = await protocol.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const before = await busy();
    await page.evaluate(async () => {
      document.querySelector<HTMLElement>('[aria-label="Later"]')?.click();
      while (document.querySelectorAll('.booking-event').length < 200)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    const took = Math.round((await busy()) - before);
    process.stdout.write(`week of 200 bookings: drawn in ${took} ms of CPU (limit 400)\n`);
  });
});
