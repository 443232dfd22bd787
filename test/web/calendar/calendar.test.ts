import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { latch } from '../../support/latch.ts';
import { axeFaults, DESKTOP, describeWeb, go, PARENT, PHONE, provideSite } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent, type Steps } from '../support/site-events.ts';
import { at, DAY, entry, MATCH, menuItems } from './entries.ts';

const LATE = '2031-03-03';

/** Waits longer than a card stays open that nothing is on. */
const later = (page: Page) => page.evaluate(() => new Promise((done) => setTimeout(done, 250)));

describeWeb('the calendar', () => {
  const world = provideSite('Europe/Prague');
  const open = provideSharedPage(world);
  const ids: Record<string, string> = {};

  async function make(title: string, more: object = {}, steps?: Steps) {
    ids[title] = await createEvent(world, { ...MATCH, title, ...more }, steps);
  }

  beforeAll(async () => {
    await make('A draft', {}, []);
    await make('Planned', {}, [['schedule']]);
    await make('Published', { is_featured: true });
    await make('Running', {}, [['publish'], ['start']]);
    await make('Over', {}, [['publish'], ['start'], ['complete']]);
    await make('Called off', {}, [['publish'], ['cancel', { reason: 'Snow' }]]);
    await make('Put off', {}, [['publish'], ['postpone', { reason: 'Snow', new_start_date: DAY }]]);
    await make('Working together for a school without phones', {
      start_date: LATE,
      end_date: LATE,
      start_time: '22:30',
      end_time: '23:30',
    });
    await make('Late', { start_date: LATE, end_date: LATE, start_time: '22:00', end_time: '23:00' });
  });

  it('offers on the card of an event what its status allows, reached by Tab and left by Esc, and lists shortcuts that can be switched off', async () => {
    const page = await world.visit(at('day'));
    await entry(page, 'Published').hover();
    const card = page.getByRole('dialog', { name: 'Published' });
    await card.getByRole('link', { name: 'Open' }).waitFor();
    await card.getByRole('heading').hover();
    await later(page);
    const buttons = (await card.getByRole('button').allTextContents()).filter((text) => text !== '');
    await card.getByRole('button', { name: 'More actions' }).click();
    const offered = [...buttons, ...(await menuItems(page))].map((text) => text.trim());
    const actions = ['Edit', 'Unpublish', 'Cancel event', 'Postpone', 'Start now', 'Duplicate', 'Delete', 'Share'];
    expect(offered.sort()).toEqual([...actions, 'Move to…', 'Save as a template'].sort());
    await page.mouse.move(0, 0);
    for (const _ of ['menu', 'card']) await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await entry(page, 'Running').focus();
    await page.getByRole('dialog', { name: 'Running' }).waitFor();
    await entry(page, 'Published').focus();
    await card.getByRole('link', { name: 'Open' }).waitFor();
    await page.keyboard.press('Tab');
    await later(page);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.entry)).toBe(ids.Published);
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Turn shortcuts off' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('w');
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Turn shortcuts on' }).click();
    expect(new URL(page.url()).searchParams.get('view')).toBe('day');
    await page.keyboard.press('Escape');
    // The browser scrolls to it.
    await go(page, `/events?view=day&date=${LATE}`);
    await entry(page, 'Late').waitFor();
    await page.getByRole('link', { name: /^Working together for a school without phones, / }).waitFor();
    await page.locator('[data-cell$="T08:00"]').focus();
    await page.keyboard.press('Tab');
    const late = page.getByRole('dialog', { name: 'Late' });
    await late.getByRole('link', { name: 'Open' }).waitFor();
    await page.keyboard.press('Tab');
    await page.evaluate(() => document.dispatchEvent(new Event('scroll')));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open');
    await late.getByRole('button', { name: 'More actions' }).click();
    // Its script comes later than a card closes that nothing is on.
    await page.route('**/assets/*', (route) => setTimeout(() => route.continue(), 300));
    await page.getByRole('menuitem', { name: 'Cancel event' }).click();
    await page.getByLabel(/^Reason/).fill('Snow');
    page.once('dialog', (question) => question.dismiss());
    await page.keyboard.press('Escape');
    expect(await page.getByLabel(/^Reason/).inputValue()).toBe('Snow');
  });

  it('labels entries with time and marks, strikes through cancelled ones and hides drafts', async () => {
    const page = await open(at('day'));
    const shown = entry(page, 'Published');
    await shown.waitFor();
    expect(await shown.getAttribute('aria-label')).toMatch(/^Published, 10:00, .*, Sports, Published, featured$/);
    expect(await entry(page, 'Called off').evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe(
      'line-through',
    );
    expect(await page.locator('[data-entry]', { hasText: 'A draft' }).count()).toBe(0);
  });

  it('shows that a new date is not known instead of the old time, in lists, on cards and to visitors', async () => {
    const noDate = 'New date not known yet';
    const withoutDate = { new_start_date: null, reason: 'Snow' };
    await make(
      'Fair',
      { visibility: 'public', start_date: LATE, end_date: LATE, start_time: '14:00', end_time: '15:00' },
      [['publish'], ['postpone', withoutDate]],
    );
    const page = await open(`/events?view=week&date=${LATE}`);
    await entry(page, 'Fair').waitFor();
    expect(await entry(page, 'Fair').getAttribute('aria-label')).toMatch(
      new RegExp(`^Fair, ${noDate}, .*, Postponed$`),
    );
    expect(await entry(page, 'Fair').textContent()).toBe('Fair');
    await entry(page, 'Fair').focus();
    await page.getByRole('dialog', { name: 'Fair' }).getByText(noDate).waitFor();
    for (const list of ['view=agenda', 'q=Fair']) {
      await go(page, `/events?${list}&date=${LATE}`);
      await entry(page, 'Fair').getByText(noDate).waitFor();
      expect(await entry(page, 'Fair').textContent()).not.toContain('14:00');
    }
    const visitor = await world.visit(`/public/${world.scope.school_id}?date=${LATE}`, { as: null });
    const line = visitor.locator('details', { hasText: 'Fair' });
    await line.locator('summary').getByText(noDate).waitFor();
    expect(await line.textContent()).not.toContain('14:00');
  });

  it('works with the keyboard alone, and keeps the focus when the month changes', async () => {
    const page = await open(at('month'));
    await entry(page, /./).waitFor();
    const heading = page.getByRole('heading', { level: 1 });
    const first = await heading.textContent();
    await page.keyboard.press('j');
    await expect.poll(() => heading.textContent()).not.toBe(first);
    await page.keyboard.press('k');
    await expect.poll(() => heading.textContent()).toBe(first);
    await page.locator(`[data-cell="${DAY}"]`).focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => heading.textContent()).not.toBe(first);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.cell ?? '');
    // The focus is lost for a moment until the new month renders.
    await expect.poll(async () => (await focused()).replace(DAY, '')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await expect.poll(() => page.getByTestId('live').textContent()).toMatch(/^\w+ \d{4}: /);
    for (const [key, view] of [
      ['w', 'week'],
      ['d', 'day'],
      ['a', 'agenda'],
      ['m', 'month'],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.searchParams.get('view') === view);
    }
    await page.keyboard.press('t');
    await page.waitForURL((url) => url.searchParams.get('date') !== DAY);
    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: /^Search/ });
    await search.waitFor();
    await page.keyboard.type('jw');
    expect(await search.inputValue()).toBe('jw');
    await page.keyboard.press('Escape');
  });

  it('keeps view, date and filters in the URL, and explains an empty view', async () => {
    const page = await open(at('agenda'));
    const filters = page.getByRole('group', { name: 'Filters' });
    await page.getByRole('link', { name: /Published/ }).waitFor();
    await filters.getByRole('button', { name: 'Featured' }).click();
    await filters.getByRole('button', { name: /^Type/ }).click();
    await page.getByRole('checkbox', { name: 'Exam' }).check();
    await page.keyboard.press('Escape');
    await page.getByText(/No matching events/).waitFor();
    expect(page.url()).toContain(`view=agenda&date=${DAY}&quick=featured&type=exam`);
    await page.reload();
    await page.getByText(/match these 2 filters/).waitFor();
    await filters.getByRole('button', { name: 'Clear 2 filters' }).click();
    await page.getByRole('link', { name: /Published/ }).waitFor();
    expect(new URL(page.url()).search).toBe(`?view=agenda&date=${DAY}`);
    await page.goBack();
    await page.getByText(/No matching events/).waitFor();
    await go(page, at('month', '&status=draft'));
    await page.getByText('Drafts appear in the calendar once they are published.').waitFor();
    await page.getByRole('button', { name: 'Show drafts' }).click();
    await page.getByRole('link', { name: /A draft/ }).waitFor();
    await filters.getByRole('button', { name: /^Type/ }).click();
    await page.getByRole('checkbox', { name: 'Exam' }).check();
    await page.getByText('No matching events', { exact: true }).waitFor();
  });

  it('names the days of an agenda before it has loaded', async () => {
    const page = await world.visit('/inbox');
    await page.getByText('No messages yet').waitFor();
    const { open: release, opened: released } = latch();
    await page.route('**/events/calendar*', (route) => released.then(() => route.continue()));
    await go(page, at('agenda'));
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('–');
    release();
    await page.getByRole('link', { name: /Published/ }).waitFor();
  });

  it('leads from the end of an agenda to the next 30 days, where the keyboard goes on at the beginning', async () => {
    const early = new Date(Date.parse(DAY) - 40 * 86_400_000).toISOString().slice(0, 10);
    const page = await open(`/events?view=agenda&date=${early}`);
    await page.getByRole('button', { name: 'Show the next 30 days' }).click();
    await page.getByRole('link', { name: /Published/ }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.entry)).toBeTruthy();
  });

  it.each([
    ['month', DESKTOP.width],
    ['week', DESKTOP.width],
    ['day', 1100],
  ])('opens the list of a day on “+n more” in a %s', async (view, width) => {
    const page = await open(at(view));
    await page.setViewportSize({ ...DESKTOP, width });
    await page.getByRole('button', { name: /^\+\d+ more on/ }).click();
    const entries = page.getByRole('dialog').getByRole('listitem');
    await entries.first().waitFor();
    expect(await entries.count()).toBe(6);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^\+\d+ more$/);
    await page.setViewportSize(DESKTOP);
  });

  it('leaves room for the title of an entry with marks in a month on a tablet', async () => {
    const page = await open(at('month'));
    await page.setViewportSize({ width: 768, height: 900 });
    const title = entry(page, 'Published').getByText('Published', { exact: true });
    expect(await title.evaluate((text) => text.clientWidth)).toBeGreaterThan(30);
    await page.setViewportSize(DESKTOP);
  });

  it('shows each day of a week above its hours', async () => {
    const page = await open(at('week'));
    const edges = (all: Element[]) =>
      all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right].map(Math.round));
    const days = () => page.getByRole('button', { name: /^\w{3}, \d+ \w+ \d{4}$/ }).evaluateAll(edges);
    await expect.poll(async () => (await days()).length).toBe(7);
    expect(await days()).toEqual(await page.locator('[data-cell$="T10:00"]').evaluateAll(edges));
  });

  it('shows entries of a week that can be read in a narrow window', async () => {
    const page = await open(at('week'));
    await page.setViewportSize({ width: 900, height: 900 });
    const widths = (all: Element[]) => all.map((one) => one.getBoundingClientRect().width);
    await expect
      .poll(async () => Math.min(...(await page.locator('[data-time-grid] a[data-entry]').evaluateAll(widths))))
      .toSatisfy((width) => width > 50 && width < 200);
    await page.setViewportSize(DESKTOP);
  });

  it('keeps the beginning of a long title that is written from right to left', async () => {
    const title = 'يوم مفتوح للآباء والأمهات والأطفال والمعلمين';
    await make(title, { start_date: LATE, end_date: LATE });
    const page = await world.visit(`/events?view=month&date=${LATE}`);
    const text = entry(page, /^.*يوم مفتوح/).getByText(/^يوم/);
    await page.setViewportSize({ width: 800, height: 900 });
    const isShown = await text.evaluate((shown) => {
      const range = document.createRange();
      range.setStart(shown.firstChild as Node, 0);
      range.setEnd(shown.firstChild as Node, 1);
      return range.getBoundingClientRect().right <= shown.getBoundingClientRect().right + 1;
    });
    expect(isShown).toBe(true);
  });

  it('opens no card of an event that leaves the page before its card shows', async () => {
    const page = await world.visit(at('day'));
    await entry(page, 'Published').waitFor();
    for (const [key, state] of [
      ['j', 'detached'],
      ['k', 'visible'],
    ] as const) {
      await page.keyboard.press(key);
      await entry(page, 'Published').waitFor({ state });
    }
    await entry(page, 'Published').hover();
    await page.keyboard.press('j');
    await entry(page, 'Published').waitFor({ state: 'detached' });
    await later(page);
    await later(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('opens no card of an event that leaves the page while the script of its card loads', async () => {
    const page = await world.visit(at('day'));
    const { open: release, opened: released } = latch();
    await page.route('**/assets/card-*', (route) => released.then(() => route.continue()));
    const isAsked = page.waitForRequest('**/assets/card-*');
    await entry(page, 'Published').hover();
    await isAsked;
    await page.keyboard.press('j');
    await entry(page, 'Published').waitFor({ state: 'detached' });
    const isLoaded = page.waitForResponse('**/assets/card-*');
    release();
    await isLoaded;
    await later(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('keeps what the card of an event says if it can’t be loaded again', async () => {
    const page = await world.visit(at('day'));
    await entry(page, 'Published').hover();
    const card = page.getByRole('dialog', { name: 'Published' });
    await card.getByRole('link', { name: 'Open' }).waitFor();
    page.expectFaults(/500/);
    await page.route(`**/events/${ids.Published}*`, (route) => route.fulfill({ status: 500 }));
    const refused = page.waitForResponse((response) => response.url().includes(`/events/${ids.Published}`));
    await world.call('PATCH', `/api/v1/operations/events/${ids.Published}`, { tags: ['fair'] });
    await refused;
    await later(page);
    expect(await card.getByRole('alert').count()).toBe(0);
    await card.getByRole('link', { name: 'Open' }).waitFor();
  });

  it('opens the card as a sheet on touch', async () => {
    const page = await world.visit(at('day'), { hasTouch: true, viewport: { width: 1024, height: 768 } });
    await entry(page, 'Published').tap();
    await page.getByRole('dialog', { name: 'Published' }).getByRole('link', { name: 'Open' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/events');
  });

  it('shows the agenda first on a phone, and a month of dots with the list of a day', async () => {
    const page = await world.visit(`/events?date=${DAY}`, { as: PARENT, viewport: PHONE, hasTouch: true });
    await page.getByRole('link', { name: /Published/ }).waitFor();
    await page.getByRole('radio', { name: 'Month' }).click();
    expect(await page.locator(`[data-cell="${DAY}"] [data-color]`).count()).toBe(3);
    await page.getByRole('link', { name: /Published/ }).tap();
    await page.waitForURL(`**/events/${ids.Published}`);
  });

  it('passes axe in every view', async () => {
    const page = await open(at('agenda'));
    await page.getByRole('link', { name: /Published/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Month' }).click();
    await entry(page, /./).waitFor();
    expect(await axeFaults(page, [PHONE])).toEqual([]);
    await page.setViewportSize(DESKTOP);
    for (const view of ['Month', 'Week']) {
      await page.getByRole('radio', { name: view, exact: true }).click();
      await entry(page, /./).hover();
      await page.getByRole('dialog').getByRole('link', { name: 'Open' }).waitFor();
      // No other entry lies above it.
      await page.getByRole('dialog').getByRole('heading').click({ trial: true });
      expect(await axeFaults(page, [DESKTOP]), view).toEqual([]);
      await page.mouse.move(0, 0);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});
