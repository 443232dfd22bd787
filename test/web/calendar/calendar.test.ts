import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeFaults, DESKTOP, describeWeb, newName, openSite, PARENT, PHONE, type Site } from '../browser.ts';

const E = '/api/v1/operations/events';
/** Two months ahead, so that its week and month lie in the future in every zone. */
const DAY = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);

const entry = (page: Page, title: string | RegExp): Locator => page.locator('[data-entry]', { hasText: title }).first();
const menuItems = async (page: Page): Promise<string[]> => {
  await page.getByRole('menu').waitFor();
  const items = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  return items.map((item) => item.trim());
};

describeWeb('the calendar', () => {
  let world: Site;
  const ids: Record<string, string> = {};

  async function make(title: string, more: Record<string, unknown> = {}, then: [string, object?][] = [['publish']]) {
    const body = {
      title,
      event_type: 'sports',
      start_date: DAY,
      end_date: DAY,
      start_time: '10:00',
      end_time: '11:00',
    };
    const { body: event }: { body: Record<string, unknown> } = await world.call('POST', E, {
      ...body,
      visibility: 'internal',
      ...more,
    });
    for (const [action, given] of then) {
      const done = await world.call('POST', `${E}/${event.id}/${action}`, given ?? {});
      expect(done.status, `${title}: ${action}`).toBe(200);
    }
    ids[title] = event.id as string;
  }
  const read = async (title: string) =>
    (await world.call('GET', `${E}/${ids[title]}`)).body as unknown as Record<string, string>;
  const at = (view: string, more = '') => `/events?view=${view}&date=${DAY}${more}`;

  beforeAll(async () => {
    world = await openSite();
    await world.call('PUT', '/api/v1/operations/school', { name: 'Lipová', timezone: 'Europe/Prague', locale: 'en' });
    await make('A draft', {}, []);
    await make('Planned', {}, [['schedule']]);
    await make('Published', { is_featured: true });
    await make('Running', {}, [['publish'], ['start']]);
    await make('Over', {}, [['publish'], ['start'], ['complete']]);
    await make('Called off', {}, [['publish'], ['cancel', { reason: 'Snow' }]]);
    await make('Put off', {}, [['publish'], ['postpone', { reason: 'Snow', new_start_date: DAY }]]);
  });

  it.each<[string, string[]]>([
    ['A draft', ['Edit', 'Publish', 'Cancel event', 'Schedule', 'Duplicate', 'Delete']],
    ['Published', ['Edit', 'Unpublish', 'Cancel event', 'Postpone', 'Start now', 'Duplicate', 'Delete', 'Share']],
  ])('offers on the card of “%s” what its status allows', async (title, actions) => {
    const page = await world.visit(at('day', title === 'A draft' ? '&drafts=true' : ''));
    await entry(page, title).hover();
    const card = page.getByRole('dialog', { name: title });
    await card.getByRole('link', { name: 'Open' }).waitFor();
    const buttons = (await card.getByRole('button').allTextContents()).filter((text) => text !== '');
    await card.getByRole('button', { name: 'More actions' }).click();
    const offered = [...buttons, ...(await menuItems(page))].map((text) => text.trim());
    expect(offered.filter((text) => text !== 'Move to…').sort()).toEqual([...actions].sort());
    expect(offered.includes('Move to…')).toBe(actions.includes('Edit'));
    await page.leave();
  });

  it('labels entries with time and marks, strikes through cancelled ones and hides drafts', async () => {
    const page = await world.visit(at('week'));
    const shown = entry(page, 'Published');
    await shown.waitFor();
    expect(await shown.getAttribute('aria-label')).toMatch(/^Published, 10:00, .*, Sports, Published, featured$/);
    expect(await entry(page, 'Called off').evaluate((one) => getComputedStyle(one).textDecorationLine)).toBe(
      'line-through',
    );
    expect(await page.locator('[data-entry]', { hasText: 'A draft' }).count()).toBe(0);
    await page.leave();
  });

  it('works with the keyboard alone, and keeps the focus when the month changes', async () => {
    const page = await world.visit(at('month'));
    await entry(page, /./).waitFor();
    const heading = page.getByRole('heading', { level: 1 });
    const first = await heading.textContent();
    await page.keyboard.press('j');
    await expect.poll(() => heading.textContent()).not.toBe(first);
    await page.keyboard.press('k');
    await expect.poll(() => heading.textContent()).toBe(first);
    await page.locator(`[data-daybutton="${DAY}"]`).focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => heading.textContent()).not.toBe(first);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.daybutton ?? '');
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
    await page.keyboard.type('jw');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jw');
    await page.waitForURL((url) => url.searchParams.get('q') === 'jw' && url.searchParams.get('view') === 'month');
    await page.leave();
  });

  it('moves the focus with Tab from an entry into its card, and with Esc back', async () => {
    const page = await world.visit(at('day'));
    await entry(page, 'Published').waitFor();
    await page.keyboard.press('Tab');
    await entry(page, 'Published').focus();
    const card = page.getByRole('dialog', { name: 'Published' });
    await card.getByRole('link', { name: 'Open' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.entry)).toBe(ids.Published);
    await page.leave();
  });

  it('shows the shortcuts on “?” and lets the user switch them off', async () => {
    const page = await world.visit(at('day'));
    await entry(page, 'Published').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Turn shortcuts off' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('w');
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Turn shortcuts on' }).click();
    expect(new URL(page.url()).searchParams.get('view')).toBe('day');
    await page.leave();
  });

  it('keeps view, date and filters in the URL, and explains an empty view', async () => {
    const page = await world.visit(at('agenda'));
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
    await page.goto(at('month', '&status=draft'));
    await page.getByText('Drafts appear in the calendar once they are published.').waitFor();
    await page.getByRole('button', { name: 'Show drafts' }).click();
    await page.getByRole('link', { name: /A draft/ }).waitFor();
    await page.leave();
  });

  it('opens the list of a day on “+n more”', async () => {
    const page = await world.visit(at('month'));
    await page.getByRole('button', { name: /^\+\d+ more on/ }).click();
    const day = page.getByRole('dialog');
    expect(await day.getByRole('listitem').count()).toBe(6);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^\+\d+ more$/);
    await page.leave();
  });

  it('opens the card as a sheet on touch', async () => {
    const page = await world.visit(at('week'), { hasTouch: true, viewport: { width: 1024, height: 768 } });
    await entry(page, 'Published').tap();
    await page.getByRole('dialog', { name: 'Published' }).getByRole('link', { name: 'Open' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/events');
    await page.leave();
  });

  it('shows the agenda first on a phone, and a month of dots with the list of a day', async () => {
    const page = await world.visit(`/events?date=${DAY}`, { as: PARENT, viewport: PHONE, hasTouch: true });
    await page.getByRole('link', { name: /Published/ }).waitFor();
    await page.getByRole('button', { name: 'Month' }).click();
    expect(await page.locator(`[data-pick="${DAY}"] [data-color]`).count()).toBe(3);
    await page.getByRole('link', { name: /Published/ }).tap();
    await page.waitForURL(`**/events/${ids.Published}`);
    await page.leave();
  });

  async function drag(page: Page, from: Locator, by: { x: number; y: number }, where: 'middle' | 'end' = 'middle') {
    await from.waitFor();
    const box = await from.boundingBox();
    if (!box) throw new Error('not shown');
    const [x, y] = [box.x + box.width / 2, box.y + (where === 'end' ? box.height - 3 : box.height / 2)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by.x / 2, y + by.y / 2, { steps: 3 });
    await page.mouse.move(x + by.x, y + by.y, { steps: 3 });
    await page.mouse.up();
  }

  it('lets a parent only share a published event, and drag nothing', async () => {
    const page = await world.visit(at('day'), { as: PARENT });
    await entry(page, 'Published').hover();
    const card = page.getByRole('dialog', { name: 'Published' });
    await card.getByRole('button', { name: 'Share' }).waitFor();
    expect(await card.getByRole('button').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'New event' }).count()).toBe(0);
    await page.mouse.move(0, 0);
    await drag(page, entry(page, 'Published'), { x: 0, y: 96 });
    expect(await read('Published')).toMatchObject({ start_time: '10:00' });
    await page.leave();
  });

  it('moves a dragged event, resizes it at its end, and undoes the move', async () => {
    const title = newName('Movable');
    await make(title, { start_time: '14:00', end_time: '15:00' });
    const page = await world.visit(at('day'));
    await drag(page, entry(page, title), { x: 0, y: -48 });
    await page.getByText(`${title} moved to`).waitFor();
    expect(await read(title)).toMatchObject({ start_time: '13:00', end_time: '14:00' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await read(title)).start_time).toBe('14:00');
    await expect.poll(() => entry(page, title).textContent()).toContain('14:00');
    await drag(page, entry(page, title), { x: 0, y: 24 }, 'end');
    await expect.poll(async () => (await read(title)).end_time).toBe('15:30');
    expect(new URL(page.url()).pathname).toBe('/events');
    await page.leave();
  });

  it('asks before a move that notifies people, and restores the event on cancel', async () => {
    const title = newName('Awaited');
    await make(title, { start_time: '16:00', end_time: '17:00', registration_type: 'optional' });
    for (const user_id of ['eva', 'jan'])
      await world.call('POST', `${E}/${ids[title]}/registrations`, {
        kind: 'attendee',
        user_id,
        contact: { email: `${user_id}@x.example` },
      });
    const page = await world.visit(at('day'));
    await drag(page, entry(page, title), { x: 0, y: -48 });
    const question = page.getByRole('dialog', { name: 'Notify 2 people?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => entry(page, title).textContent()).toContain('16:00');
    expect(await read(title)).toMatchObject({ start_time: '16:00' });
    await entry(page, title).hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByLabel('New start time').fill('12:30');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await question.getByRole('button', { name: 'Move and notify 2 people' }).click();
    await expect.poll(async () => (await read(title)).start_time).toBe('12:30');
    expect(await read(title)).toMatchObject({ end_time: '13:30', start_date: DAY });
    await page.leave();
  });

  it.each([
    ['2027-03-28', '09:00', 'Asia/Tokyo'],
    ['2027-10-31', '02:30', 'America/New_York'],
  ])(
    'shows the week of the clock change on %s, %s, in the school’s zone to a browser in %s',
    async (day, time, zone) => {
      const title = `At ${time} in ${zone.slice(0, 4)}`;
      const end_time = `${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}${time.slice(2)}`;
      await make(title, { start_date: day, end_date: day, start_time: time, end_time });
      const page = await world.visit(`/events?view=week&date=${day}`, { timezoneId: zone });
      const chip = entry(page, title);
      await chip.waitFor();
      expect(await chip.textContent()).toContain(time);
      const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
      const place = await chip.evaluate((one) => {
        const column = one.closest('[data-day]') as HTMLElement;
        const top = one.getBoundingClientRect().top - column.getBoundingClientRect().top;
        return { day: column.dataset.day, share: top / column.getBoundingClientRect().height };
      });
      expect(place.day).toBe(day);
      expect(place.share).toBeCloseTo(minutes / 1440, 3);
      // Sunday is the seventh column even with 23 or 25 hours.
      expect(
        await page
          .locator('[data-timeline]')
          .evaluateAll((all) => all.findIndex((one) => one.contains(document.querySelector('[data-entry]')))),
      ).toBe(6);
      await chip.hover();
      await page
        .getByRole('dialog', { name: title })
        .getByText(/CES?T|GMT\+[12]/)
        .waitFor();
      await page.leave();
    },
  );

  it('passes axe in every view', async () => {
    const page = await world.visit(at('agenda'));
    await page.getByRole('link', { name: /Published/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Month' }).click();
    await entry(page, /./).waitFor();
    expect(await axeFaults(page, [PHONE])).toEqual([]);
    await page.setViewportSize(DESKTOP);
    for (const view of ['Month', 'Week']) {
      await page.getByRole('button', { name: view, exact: true }).click();
      await entry(page, /./).hover();
      await page.getByRole('dialog').getByRole('link', { name: 'Open' }).waitFor();
      expect(await axeFaults(page, [DESKTOP]), view).toEqual([]);
      await page.mouse.move(0, 0);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.leave();
  });
});
