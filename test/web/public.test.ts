import type { Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { serve } from '../support/serve.ts';
import { axeFaults, describeWeb, go, PHONE, provideSite, type VisitOptions } from './support/browser.ts';
import { createEvent, type Steps } from './support/site-events.ts';

const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** As a browser that blocks cookies does, and in frames most of them. */
async function blockStorage(route: Route): Promise<void> {
  const response = await route.fetch();
  const block = `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new Error('blocked'); }, configurable: true });`;
  await route.fulfill({ response, body: `${block}\n${await response.text()}` });
}

describeWeb('the public calendar', () => {
  const world = provideSite('Europe/Prague');
  const open = (more: VisitOptions = {}, date = '2027-03-01') =>
    world.visit(`/public/${world.scope.school_id}?date=${date}`, { as: null, ...more });

  beforeAll(async () => {
    const make = (title: string, visibility: string, more: object = {}, steps?: Steps) => {
      const times = { start_date: '2027-03-10', end_date: '2027-03-10', start_time: '18:00', end_time: '20:00' };
      return createEvent(world, { title, event_type: 'cultural', visibility, ...times, ...more }, steps);
    };
    await make('Open concert', 'public', {
      description: 'Everyone is welcome. Seats: https://choir.example/seats.',
      location: { name: 'Hall', address: 'Lipová 12' },
      registration_type: 'required',
      max_attendees: 2000,
      registration_deadline: '2027-03-09T12:00:00Z',
    });
    await make('Staff meeting', 'staff_only');
    await make('Exhibition', 'public', { start_date: dayAfter(-1), end_date: dayAfter(1) });
    // A Sunday in the last week of July.
    await make('Garden party', 'public', { start_date: '2027-08-01', end_date: '2027-08-01' });
    await make('Camp', 'public', { start_date: '2027-08-02', end_date: '2027-08-02' });
    await make('Spring holidays', 'public', {
      event_type: 'holiday',
      all_day: true,
      start_time: undefined,
      end_time: undefined,
      start_date: '2026-12-01',
      end_date: '2027-03-02',
    });
    const match = { event_type: 'sports', start_date: '2027-03-12', end_date: '2027-03-12' };
    await make('Match', 'public', match, [['publish'], ['cancel', { reason: 'Snow' }]]);
  });

  it('begins what it says of an empty month with a capital letter in Czech, which writes months in small letters', async () => {
    const page = await open({ language: 'cs' }, '2029-05-01');
    for (const text of ['Květen 2029: žádné veřejné akce.', 'Červen 2029'])
      await page.getByText(text, { exact: true }).last().waitFor();
  });

  it('shows only public events without sign-in, and passes axe', async () => {
    const page = await open();
    await page.getByText('Open concert').click();
    await page.getByText('Everyone is welcome.').waitFor();
    await page.getByText('2,000 of 2,000 places left').waitFor();
    await page.getByText('Lipová 12').waitFor();
    await page.getByRole('link', { name: 'https://choir.example/seats', exact: true }).waitFor();
    // This event began three months ago and continues.
    await page.getByText('Spring holidays').waitFor();
    expect(await page.getByText('Match').evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe(
      'line-through',
    );
    expect(await page.getByText('Staff meeting').count()).toBe(0);
    expect(await page.getByText('Lipová', { exact: true }).count()).toBe(1);
    // A screen reader jumps from heading to heading, and begins with the name of the page.
    expect(await page.locator('h1, h2, h3').first().textContent()).toBe('March 2027');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in to register' }).click();
    await page.waitForURL('**/sign-in?next=*');
  });

  it('moves between months, explains an empty one, shows what goes on today, and offers a feed that calendar programs can read', async () => {
    const page = await open();
    await page.getByText('Open concert').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('No public events in April 2027.').waitFor();
    expect(new URL(page.url()).searchParams.get('date')).toBe('2027-04-01');
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByRole('button', { name: /10 March 2027, 1 event$/ }).click();
    await page.keyboard.press('End');
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.cell)).toBe('2027-03-14');
    await page.getByText('Open concert').waitFor();
    const address = await page.getByLabel('Calendar link').inputValue();
    const link = await page.getByRole('link', { name: 'Open in my calendar app' }).getAttribute('href');
    expect(link).toBe(address.replace('http:', 'webcal:'));
    const feed = await fetch(address);
    expect(feed.headers.get('content-type')).toContain('text/calendar');
    expect(await feed.text()).toContain('SUMMARY:Open concert');
    // It began before today, and goes on.
    await go(page, `/public/${world.scope.school_id}`);
    await page.getByText('Exhibition').waitFor();
    page.expectFaults(/404/);
    for (const path of ['/public/nowhere', '/nowhere', '/events/no/such/page']) {
      await go(page, path);
      await page.getByRole('main').getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    }
    expect(await axeFaults(page)).toEqual([]);
  });

  it('shows its events below a note if the event of a shared link is not public, and without one if it can’t be loaded', async () => {
    const page = await open();
    page.expectFaults(/404|500/);
    await page.getByText('Open concert').waitFor();
    const note = page.getByText('This event is not public.');
    await go(page, `/public/${world.scope.school_id}?date=2027-03-01&event=none`);
    await note.waitFor();
    await page.getByText('Open concert').waitFor();
    await page.route('**/events/broken', (route) => route.fulfill({ status: 500, json: { code: 'internal' } }));
    await go(page, `/public/${world.scope.school_id}?date=2027-08-01&event=broken`);
    await page.getByText('Garden party').waitFor();
    expect(await note.count()).toBe(0);
  });

  it('is shown by a script on a page of another website, as high as its content and without storage, and no other page is', async () => {
    const { apiUrl, scope } = world;
    const origin = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>School</title><body><script src="${apiUrl}/embed.js" data-school="${scope.school_id}" async></script>` +
          `<iframe title="other" src="${apiUrl}/events"></iframe>`,
      );
    });
    const page = await open();
    page.expectFaults(/frame-ancestors 'none'/);
    await page.route('**/assets/boot-*.js', blockStorage);
    await page.goto(origin.replace('127.0.0.1', 'localhost'));
    const frame = page.frameLocator('iframe[title="Calendar"]');
    await frame.getByRole('heading', { level: 1, name: /\d{4}$/ }).waitFor();
    await expect.poll(() => page.getByTitle('Calendar').evaluate((one) => one.clientHeight)).not.toBe(640);
    expect(await frame.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    const other = page.frames().find((one) => one !== page.mainFrame() && !one.url().includes('/embed/'));
    expect(await other?.evaluate(() => document.body.textContent).catch(() => '')).not.toContain('Schoolbell');
  });

  it('shows the days of the next month that the last week of a month has', async () => {
    const page = await open({ viewport: PHONE }, '2027-07-15');
    await page.getByRole('heading', { name: /Sunday,? 1 August 2027/ }).waitFor();
    await page.getByText('Garden party').waitFor();
    expect(await page.getByText('Camp').count()).toBe(0);
  });

  it('prints only the list, dark on white', async () => {
    const page = await open();
    await page.getByText('Open concert').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const name of ['Print', 'Next', 'Copy link'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    expect(await page.getByText('Open concert').isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect((await page.pdf({ format: 'A4' })).byteLength).toBeGreaterThan(5_000);
  });

  it('leads from a page behind a link of an email to the settings, dark on a dark device, passes axe, and says if the browser blocks the sign-in', async () => {
    const page = await world.visit('/unsubscribe/old', { as: null, viewport: PHONE, colorScheme: 'dark' });
    page.expectFaults(/404/);
    await page.getByText('This link doesn’t work.').waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(255, 255, 255)');
    expect(await axeFaults(page, [PHONE])).toEqual([]);
    await page.route('**/assets/boot-*.js', blockStorage);
    await page.getByRole('link', { name: 'Notification settings' }).click();
    await page.waitForURL('**/sign-in?next=*settings');
    await page.getByText('Your browser blocks cookies').waitFor();
  });
});
