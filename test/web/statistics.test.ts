import { beforeAll, expect, it } from 'vitest';
import { draft } from '../support/world.ts';
import { axeFaults, DESKTOP, describeWeb, go, PARENT, provideSite, type Visit } from './support/browser.ts';
import { createEvent } from './support/site-events.ts';

const ALL = '/statistics?from=2030-09-01&to=2031-08-31';

describeWeb('the statistics page', () => {
  const world = provideSite();
  beforeAll(async () => {
    for (const [event_type, day, steps] of [
      ['sports', '2030-09-10', [['publish']]],
      ['sports', '2030-10-10', [['publish']]],
      ['exam', '2030-10-11', [['publish']]],
      ['exam', '2031-03-01', []],
      ['other', '2030-10-12', [['cancel', { reason: 'Rain' }]]],
    ] as const)
      await createEvent(world, draft({ event_type, start_date: day, end_date: day }), steps);
  });

  const figure = (page: Visit, name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent();

  it('shows eight numbers for the period in the URL and for another one, and an error for one that ends before it begins', async () => {
    const page = await world.visit(ALL);
    await page.getByRole('heading', { name: 'By type' }).waitFor();
    expect(await page.locator('dl dd').count()).toBe(8);
    expect([await figure(page, 'events'), await figure(page, 'upcoming'), await figure(page, 'cancelled')]).toEqual([
      '5',
      '3',
      '1',
    ]);
    // Month, day and year as an English keyboard types them, also in a browser that speaks American.
    await page.getByLabel('To').focus();
    await page.keyboard.type('09092030', { delay: 20 });
    await page.waitForURL(/to=2030-09-09/);
    await expect.poll(() => figure(page, 'events')).toBe('0');
    await page.getByLabel('To').fill('2030-09-30');
    await page.waitForURL(/to=2030-09-30/);
    await expect.poll(() => figure(page, 'events')).toBe('1');
    await page.getByRole('button', { name: 'This month' }).click();
    await page.getByText('No events in this period.').first().waitFor();
    page.expectFaults(/422/);
    await go(page, '/statistics?from=2031-01-01&to=2030-01-01');
    await page.getByRole('alert').waitFor();
  });

  it('shows a parent who opens it by its address the numbers of the events that they see', async () => {
    const page = await world.visit(ALL, { as: PARENT });
    await page.getByRole('heading', { name: 'By type' }).waitFor();
    // The draft is not among them.
    expect(await figure(page, 'events')).toBe('4');
    expect(await page.getByRole('link', { name: 'Statistics' }).count()).toBe(0);
  });

  it('is in the menu of those with the permission for it, also if they have no other one', async () => {
    const analyst = { user_id: 'analyst', roles: ['staff' as const] };
    const page = await world.visit(ALL, { as: { ...analyst, permissions: ['events.statistics.view'] } });
    await page.getByRole('link', { name: 'Statistics' }).first().waitFor();
    await page.getByRole('heading', { name: 'By type' }).waitFor();
  });

  it('shows bars or a table, passes axe in both, and links each bar to its events', async () => {
    const page = await world.visit(ALL);
    await page.getByRole('link', { name: 'Sports: 2 events, open in the calendar' }).waitFor();
    expect(await page.getByRole('link', { name: /open in the calendar/ }).allTextContents()).toEqual([
      'Sports 2',
      'Exam 2',
      'Other 1',
      'Draft 1',
      'Published 3',
      'Cancelled 1',
    ]);
    expect(await axeFaults(page)).toEqual([]);
    // As wide as with a zoom of 400 %.
    await page.setViewportSize({ width: 320, height: 600 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    const bar = page
      .getByRole('link', { name: /^Sports: 2 events/ })
      .locator('svg')
      .last();
    expect((await bar.boundingBox())?.width).toBeGreaterThan(200);
    await page.setViewportSize(DESKTOP);
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.waitForURL(/as=table/);
    expect(await axeFaults(page, [DESKTOP])).toEqual([]);
    const cells = await page.getByRole('table', { name: 'By status' }).getByRole('row').allTextContents();
    expect(cells).toContain('Published360%');
    await page.getByRole('radio', { name: 'Bars' }).click();
    await page.getByRole('link', { name: /^Sports: 2 events/ }).click();
    await page.waitForURL((url) => url.pathname === '/events' && url.searchParams.get('type') === 'sports');
    await page.getByText('10 October 2030').waitFor();
    expect(await page.locator('[data-entry]').count()).toBe(2);
  });
});
