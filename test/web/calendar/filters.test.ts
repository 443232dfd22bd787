import { beforeAll, expect, it } from 'vitest';
import { axeFaults, describeWeb, go, newName, PARENT, provideSite, type Visit } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';
import { DAY, MATCH } from './entries.ts';

const NEXT = new Date(Date.now() + 61 * 86_400_000).toISOString().slice(0, 10);

describeWeb('the filters of the calendar', () => {
  const world = provideSite('Europe/Prague');
  const open = provideSharedPage(world);
  const make = (title: string, more: object = {}) => createEvent(world, { ...MATCH, title, ...more });
  beforeAll(async () => {
    await make('Plain');
    await make('Of 5A', { class_id: 'class-5a' });
    await make('Of music', { department_id: 'department-music' });
    await make('A trip', { categories: ['Trips'] });
    await make('Tagged', { tags: ['snow'] });
    await make('Weekly', { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 2 });
    await make('Day after', { start_date: NEXT, end_date: NEXT });
    await make('For staff', {
      visibility: 'staff_only',
      organizer_id: 'karel-maly',
      organizer: { type: 'staff', name: 'Eva' },
    });
  });

  const AGENDA = `/events?view=agenda&date=${DAY}`;
  const titles = async (page: Visit) =>
    (await page.locator('[data-entry] .font-medium').allTextContents()).map((title) => title.trim()).sort();
  const opened = async (page: Visit) => {
    await page.getByRole('button', { name: /^More filters/ }).click();
    await page.getByRole('checkbox', { name: 'Recurring events only' }).waitFor();
  };

  it('find words at any time, upcoming events first, in a list without a period, which a view replaces', async () => {
    const word = newName('Regatta');
    await make(`${word} ahead`, { start_date: '2031-05-02', end_date: '2031-05-02' });
    await make(`${word} behind`, { start_date: '2024-05-02', end_date: '2024-05-02' });
    const page = await open(`/events?view=month&date=${DAY}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: /^Search/ }).fill(word);
    await page.getByRole('option', { name: `All results for “${word}”` }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === word && url.searchParams.get('view') === 'month');
    const found = page.locator('[data-entry] .block.font-medium');
    await expect.poll(() => found.allTextContents()).toEqual([`${word} ahead`, `${word} behind`]);
    await page.getByRole('heading', { level: 1, name: 'Search results' }).waitFor();
    expect(await page.getByRole('button', { name: 'Next', exact: true }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Month', exact: true }).click();
    await page.getByRole('grid').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: `Search: ${word}` }).click();
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).search).toBe(`?view=month&date=${DAY}`);
  });

  it('show only matching events, are part of the URL, and can be cleared', async () => {
    const check = (name: string | RegExp) => (page: Visit) => page.getByRole('checkbox', { name }).check();
    const filters: [(page: Visit) => Promise<unknown>, string, string][] = [
      [check(/^5A/), 'class=class-5a', 'Of 5A'],
      [check(/^Music/), 'department=department-music', 'Of music'],
      [check(/^Trips/), 'category=Trips', 'A trip'],
      [check(/^snow/), 'tags=snow', 'Tagged'],
      [check('Recurring events only'), 'recurring=true', 'Weekly'],
      [check('Staff only'), 'visibility=staff_only', 'For staff'],
      [(page) => page.getByLabel('From').fill(NEXT), `from=${NEXT}`, 'Day after'],
    ];
    const page = await open(AGENDA);
    for (const [choose, address, title] of filters) {
      await page.getByText('Plain').waitFor();
      await opened(page);
      await choose(page);
      await expect.poll(() => titles(page)).toContain(title);
      await expect.poll(() => titles(page)).not.toContain('Plain');
      expect(page.url()).toContain(address);
      await page.getByRole('button', { name: 'Clear 1 filter' }).click();
    }
    await page.getByText('Plain').waitFor();
    expect(new URL(page.url()).search).toBe(`?view=agenda&date=${DAY}`);
    await go(page, [AGENDA, ...filters.map(([, address]) => address)].join('&'));
    await page.getByRole('button', { name: `More filters (${filters.length})` }).waitFor();
    await page.getByText(`No events match these ${filters.length} filters.`).waitFor();
  });

  it('by organizer come from the event page, stay on the way there and back, and combine with others by AND', async () => {
    const page = await open(`${AGENDA}&organizer=karel-maly`);
    await expect.poll(() => titles(page)).toEqual(['For staff']);
    await page.getByRole('link', { name: /For staff/ }).click();
    await page.getByRole('main').getByRole('link', { name: 'Calendar' }).click();
    await expect.poll(() => titles(page)).toEqual(['For staff']);
    expect(new URL(page.url()).search).toBe(`?view=agenda&date=${DAY}&organizer=karel-maly`);
    await page.getByRole('link', { name: /For staff/ }).click();
    await page.getByRole('link', { name: 'More from this organizer' }).click();
    await page.waitForURL(/organizer=karel-maly/);
    await go(page, `${AGENDA}&organizer=karel-maly&class=class-5a`);
    await page.getByText('No events match these 2 filters.').waitFor();
  });

  it('do not offer values of events that the user may not see, and pass axe', async () => {
    const page = await world.visit(AGENDA, { as: PARENT });
    await opened(page);
    await page.getByRole('checkbox', { name: /^5A/ }).waitFor();
    expect(await page.getByText('For staff').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });
});
