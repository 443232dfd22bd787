import { expect, it } from 'vitest';
import { contactOf } from '../../../support/world.ts';
import {
  axeFaults,
  DESKTOP,
  describeWeb,
  go,
  newName,
  PARENT,
  provideSite,
  type Visit,
} from '../../support/browser.ts';
import { provideSharedPage } from '../../support/shared-page.ts';
import { createEvent } from '../../support/site-events.ts';
import { MATCH } from '../entries.ts';

/** A week without other events. */
const [MONDAY, TUESDAY, FRIDAY] = ['2031-09-01', '2031-09-02', '2031-09-05'];

describeWeb('an empty slot of the calendar', () => {
  const world = provideSite('Europe/Prague', [
    contactOf(1, { user_id: 'eva', name: 'Eva Nováková', class_ids: ['class-5a'], grade_level_ids: ['grade-5'] }),
  ]);

  const open = provideSharedPage(world);
  const cell = (page: Visit, name: string) => page.locator(`[data-cell="${name}"]`);
  const focused = (page: Visit) => page.evaluate(() => (document.activeElement as HTMLElement).dataset.cell ?? '');

  /** Moves the mouse over the days or hours, from cell to cell, as fractions of their size. */
  async function drag(page: Visit, from: string, to: string, { release = true } = {}) {
    for (const name of [from, to]) await cell(page, name).waitFor();
    await cell(page, from).scrollIntoViewIfNeeded();
    const [start, end] = [await cell(page, from).boundingBox(), await cell(page, to).boundingBox()];
    if (!start || !end) throw new Error('not shown');
    const spotOf = (box: { x: number; y: number; width: number; height: number }, below: number) =>
      [box.x + box.width / 2, box.y + below] as const;
    // In a month the cell is the button of the day; the free space lies below it.
    const below = from.includes('T') ? 4 : 60;
    await page.mouse.move(...spotOf(start, below));
    await page.mouse.down();
    if (from !== to) await page.mouse.move(...spotOf(end, below), { steps: 4 });
    if (release) await page.mouse.up();
  }

  const formTimes = async (page: Visit) => {
    await page.getByLabel('Title', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Schedule/ }).click();
    await page.getByLabel('Start date').waitFor();
    const value = async (label: string) => {
      const input = page.getByLabel(label);
      return (await input.count()) > 0 ? input.inputValue() : null;
    };
    return Promise.all(['Start date', 'Start time', 'End date', 'End time'].map(value));
  };

  it('opens the form at the half hour that is clicked, and keeps it when a type suggests other times', async () => {
    const page = await open(`/events?view=week&date=${MONDAY}`);
    await drag(page, `${TUESDAY}T14:00`, `${TUESDAY}T14:00`);
    await page.waitForURL(/events\/new/);
    await page.getByRole('radio', { name: 'Workshop' }).check();
    expect(await formTimes(page)).toEqual([TUESDAY, '14:00', TUESDAY, '17:00']);
  });

  it('gives the form the dragged span of a day, or the dragged days of a month', async () => {
    const page = await open(`/events?view=day&date=${TUESDAY}`);
    await drag(page, `${TUESDAY}T09:00`, `${TUESDAY}T11:00`, { release: false });
    await expect.poll(() => page.locator('[data-span]').textContent()).toBe('09:00–11:15');
    await page.mouse.up();
    await page.waitForURL(/events\/new/);
    await page.getByRole('radio', { name: 'Holiday' }).check();
    expect(await formTimes(page)).toEqual([TUESDAY, '09:00', TUESDAY, '11:15']);

    await go(page, `/events?view=month&date=${MONDAY}`);
    await drag(page, FRIDAY, TUESDAY);
    await page.waitForURL(/events\/new/);
    await page.getByRole('radio', { name: 'Workshop' }).check();
    expect(await formTimes(page)).toEqual([TUESDAY, null, FRIDAY, null]);
  });

  it('does nothing for a parent, for a finger, and for a click that closes a panel', async () => {
    const parent = await world.visit(`/events?view=week&date=${MONDAY}`, { as: PARENT });
    await drag(parent, `${TUESDAY}T14:00`, `${TUESDAY}T14:00`);
    await cell(parent, `${TUESDAY}T14:00`).focus();
    await parent.keyboard.press('Enter');
    await parent.keyboard.press('ArrowDown');
    await expect.poll(() => focused(parent)).toBe(`${TUESDAY}T15:00`);
    expect(new URL(parent.url()).pathname).toBe('/events');
    await parent.leave();

    const tablet = await world.visit(`/events?view=month&date=${MONDAY}`, {
      hasTouch: true,
      viewport: { width: 1024, height: 768 },
    });
    await cell(tablet, TUESDAY).waitFor();
    const box = await cell(tablet, TUESDAY).boundingBox();
    await tablet.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 60);
    await cell(tablet, TUESDAY).tap();
    const day = tablet.getByRole('dialog', { name: /2 September 2031/ });
    await day.getByText('No events on this day.').waitFor();
    await day.getByRole('button', { name: 'New event' }).click();
    await tablet.waitForURL(/events\/new.*date=2031-09-02/);
    await tablet.leave();

    const page = await open(`/events?view=month&date=${MONDAY}`);
    await page.getByRole('button', { name: /^Type/ }).click();
    await page.getByRole('checkbox', { name: 'Exam' }).waitFor();
    await drag(page, MONDAY, MONDAY);
    await page.getByRole('checkbox', { name: 'Exam' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/events');
  });

  it('is reached with arrow keys from one tab stop, also in another month, and Enter opens or creates', async () => {
    const title = newName('Choir');
    await createEvent(world, { ...MATCH, title, start_date: '2031-10-03', end_date: '2031-10-03' });
    const page = await world.visit('/inbox');
    // News of the new event would load the months again.
    await page.route('**/inbox/stream*', () => {});
    await page.goto(`/events?view=month&date=${MONDAY}`);
    await cell(page, MONDAY).focus();
    const months: string[] = [];
    page.on('request', (request) => {
      const [, month] = /calendar\?.*date=(\d{4}-\d{2})/.exec(request.url()) ?? [];
      if (month) months.push(month);
    });
    expect(await page.locator('[role=grid] [tabindex="0"], [role=grid] a:not([tabindex])').count()).toBe(1);
    for (const [key, day] of [
      ['End', '2031-09-07'],
      ['ArrowDown', '2031-09-14'],
      ['Home', '2031-09-08'],
      ['ArrowLeft', '2031-09-07'],
      ['ArrowUp', '2031-08-31'],
      ['PageDown', '2031-09-30'],
      ['ArrowRight', '2031-10-01'],
      ['ArrowRight', '2031-10-02'],
      ['ArrowRight', '2031-10-03'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toBe(day);
    }
    await page.locator('[data-entry]', { hasText: title }).waitFor();
    // Also the neighbours, which load ahead.
    expect(months).toEqual([...new Set(months)]);
    expect(months).not.toContain('2031-09');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('2031-10-03');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focused(page)).toBe('2031-10-02');
    await page.keyboard.press('Enter');
    await page.waitForURL(/events\/new.*date=2031-10-02/);
  });

  it('is an hour of the week for the keyboard, and Enter creates an event there', async () => {
    const page = await open(`/events?view=week&date=${MONDAY}`);
    await cell(page, `${MONDAY}T08:00`).focus();
    for (const [key, name] of [
      ['ArrowDown', `${MONDAY}T09:00`],
      ['End', '2031-09-07T09:00'],
      ['ArrowRight', '2031-09-08T09:00'],
      ['PageUp', '2031-09-01T09:00'],
      ['Control+End', '2031-09-07T23:00'],
      ['Control+Home', `${MONDAY}T00:00`],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toBe(name);
    }
    expect(await page.locator('[data-cell][tabindex="0"]').count()).toBe(1);
    expect(await cell(page, `${MONDAY}T00:00`).getAttribute('aria-label')).toBe('Monday 1 September, 00:00, no events');
    expect(await axeFaults(page, [DESKTOP])).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/events\/new.*date=2031-09-01&start=00%3A00/);
  });

  it('shows the current time as a line in the week and the day, and nowhere in another week', async () => {
    const page = await open('/events?view=week');
    const line = page.locator('[data-now]');
    await line.waitFor();
    /** Minutes between the line and the time in Prague. */
    const late = () =>
      line.evaluate((one) => {
        const column = one.closest<HTMLElement>('[data-day]');
        const top = one.getBoundingClientRect().top - (column?.getBoundingClientRect().top ?? 0);
        const [hour = 0, minute = 0] = new Date()
          .toLocaleTimeString('en-GB', { timeZone: 'Europe/Prague', hour: '2-digit', minute: '2-digit' })
          .split(':')
          .map(Number);
        return Math.abs((top / (column?.offsetHeight ?? 1)) * 1440 - (hour * 60 + minute)) % 1430;
      });
    expect(await late()).toBeLessThan(5);
    await page.getByRole('radio', { name: 'Day', exact: true }).click();
    await expect.poll(late).toBeLessThan(5);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await line.waitFor({ state: 'detached' });
  });
});
