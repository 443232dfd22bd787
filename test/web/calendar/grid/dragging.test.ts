import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { latch } from '../../../support/latch.ts';
import { E } from '../../../support/world.ts';
import { DESKTOP, describeWeb, go, newName, PARENT, provideSite } from '../../support/browser.ts';
import { provideSharedPage } from '../../support/shared-page.ts';
import { createEvent } from '../../support/site-events.ts';
import { at, DAY, entry, MATCH } from '../entries.ts';

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

describeWeb('an event on the calendar', () => {
  const world = provideSite('Europe/Prague');
  const open = provideSharedPage(world);
  const make = (title: string, more: object = {}) => createEvent(world, { ...MATCH, title, ...more });
  const read = async (id: string) => (await world.call('GET', `${E}/${id}`)).body;

  it('lets a parent only share a published event, and drag nothing', async () => {
    const title = newName('Fixed');
    const id = await make(title);
    const page = await world.visit(at('day'), { as: PARENT });
    await entry(page, title).hover();
    const card = page.getByRole('dialog', { name: title });
    await card.getByRole('button', { name: 'Share' }).waitFor();
    expect(await card.getByRole('button').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'New event' }).count()).toBe(0);
    await page.mouse.move(0, 0);
    await drag(page, entry(page, title), { x: 0, y: 96 });
    expect(await read(id)).toMatchObject({ start_time: '10:00' });
  });

  it('moves a dragged event, resizes it at its end, and undoes the move, also where its card lies under the notice', async () => {
    const title = newName('Movable');
    const id = await make(title, { start_time: '14:00', end_time: '15:00' });
    const page = await open(at('day'));
    await drag(page, entry(page, title), { x: 0, y: -48 });
    await page.getByText(`${title} moved to`).waitFor();
    expect(await read(id)).toMatchObject({ start_time: '13:00', end_time: '14:00' });
    // So low that the card reaches down to the notice.
    await page.setViewportSize({ width: 660, height: 800 });
    const { y = 0, height = 0 } = (await entry(page, title).boundingBox()) ?? {};
    await page.setViewportSize({ width: 660, height: Math.ceil(y + height) + 262 });
    await entry(page, title).hover();
    const card = page.getByRole('dialog', { name: title });
    await card.getByRole('link', { name: 'Open' }).waitFor();
    const notice = page.getByText(`${title} moved to`);
    const [below, above] = await Promise.all([card.boundingBox(), notice.boundingBox()]);
    expect((below?.y ?? 0) + (below?.height ?? 0)).toBeGreaterThan((above?.y ?? 0) + 4);
    await notice.click({ trial: true, position: { x: 50, y: 4 } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.setViewportSize(DESKTOP);
    await expect.poll(async () => (await read(id)).start_time).toBe('14:00');
    await expect.poll(() => entry(page, title).textContent()).toContain('14:00');
    await drag(page, entry(page, title), { x: 0, y: 24 }, 'end');
    await expect.poll(async () => (await read(id)).end_time).toBe('15:30');
    expect(new URL(page.url()).pathname).toBe('/events');
  });

  it('shows where a dragged event would go, and asks before it goes to a day that has passed in its zone', async () => {
    const title = newName('Ahead');
    // At noon in Europe the next day has begun on Kiritimati.
    const [before, today] = ['2031-05-14', '2031-05-15'];
    const id = await make(title, {
      start_date: today,
      end_date: today,
      start_time: null,
      end_time: null,
      all_day: true,
      timezone: 'Pacific/Kiritimati',
    });
    const aheadMs = Date.parse(`${before}T12:00Z`) - Date.now();
    const page = await world.visit(`/events?view=month&date=${today}`, { aheadMs });
    await entry(page, title).waitFor();
    const from = await entry(page, title).boundingBox();
    const to = await page.locator(`[data-day="${before}"]`).boundingBox();
    if (!from || !to) throw new Error('not shown');
    await page.mouse.move(from.x + 20, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + to.height - 8, { steps: 5 });
    await page.locator('.fixed', { hasText: title }).waitFor();
    await page.mouse.up();
    await page
      .getByRole('dialog', { name: 'Move it to a day that has passed?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await expect.poll(() => page.getByTestId('live').textContent()).toBe('Nothing was moved');
    expect(await read(id)).toMatchObject({ start_date: today });
  });

  it('asks before a move that notifies people, and restores the event on cancel', async () => {
    const title = newName('Awaited');
    const id = await make(title, { start_time: '16:00', end_time: '17:00', registration_type: 'optional' });
    for (const user_id of ['eva', 'jan'])
      await world.call('POST', `${E}/${id}/registrations`, {
        kind: 'attendee',
        user_id,
        contact: { email: `${user_id}@x.example` },
      });
    const page = await open(at('day'));
    await drag(page, entry(page, title), { x: 0, y: -48 });
    const question = page.getByRole('dialog', { name: 'Notify 2 people?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => entry(page, title).textContent()).toContain('16:00');
    expect(await read(id)).toMatchObject({ start_time: '16:00' });
    await entry(page, title).hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByLabel('New start time').fill('12:30');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await question.getByRole('button', { name: 'Move and notify 2 people' }).click();
    await expect.poll(async () => (await read(id)).start_time).toBe('12:30');
    expect(await read(id)).toMatchObject({ end_time: '13:30', start_date: DAY });
  });

  it('is moved, and asks before, also if another one was moved just before', async () => {
    const [first, second] = [newName('First'), newName('Second')];
    const more = { registration_type: 'optional' };
    const ids = [
      await make(first, { ...more, start_time: '12:00', end_time: '13:00' }),
      await make(second, { ...more, start_time: '14:00', end_time: '15:00' }),
    ];
    for (const id of ids)
      await world.call('POST', `${E}/${id}/registrations`, {
        kind: 'attendee',
        user_id: 'eva',
        contact: { email: 'eva@x.example' },
      });
    const page = await open(at('day'));
    const { open: release, opened: held } = latch();
    await page.route(/dry_run/, (route) => held.then(() => route.continue()));
    for (const title of [first, second]) await drag(page, entry(page, title), { x: 0, y: -48 });
    release();
    const question = page.getByRole('dialog', { name: 'Notify 1 person?' });
    for (const title of [first, second]) {
      await question.getByText(title).waitFor();
      await question.getByRole('button', { name: 'Move and notify 1 person' }).click();
    }
    await expect.poll(async () => (await read(ids[1] ?? '')).start_time).toBe('13:00');
    expect(await read(ids[0] ?? '')).toMatchObject({ start_time: '11:00' });
  });

  it('keeps the time of an event that is moved to another day if its field, which names its zone, is empty', async () => {
    const day = { start_date: '2027-04-05', end_date: '2027-04-05' };
    const id = await make(newName('Timeless'), { ...day, timezone: 'Europe/London' });
    const page = await open(`/events/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByText('Time zone: Europe/London').waitFor();
    await page.getByLabel('New date').fill('2027-04-06');
    await page.getByLabel('New start time').fill('');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await expect
      .poll(() => read(id))
      .toMatchObject({ start_date: '2027-04-06', start_time: '10:00', end_time: '11:00' });
  });

  it('asks with the later time if a clock change skips the time to which an event is moved', async () => {
    const day = '2027-03-28';
    const id = await make(newName('Night walk'), { start_date: day, end_date: day, registration_type: 'optional' });
    await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'eva' });
    const page = await open(`/events/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByLabel('New start time').fill('02:30');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const question = page.getByRole('dialog', { name: /^Notify/ });
    await question.getByText('Sunday, 28 March 2027, 03:30–04:30').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  it('asks before a move also if another page was opened meanwhile', async () => {
    const id = await make(newName('Left'), { registration_type: 'optional' });
    await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'eva' });
    const page = await world.visit(`/events/${id}`);
    const { open: release, opened: held } = latch();
    await page.route(/dry_run/, (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByLabel('New start time').fill('11:00');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await go(page, '/inbox');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    release();
    await page
      .getByRole('dialog', { name: /^Notify/ })
      .getByRole('button', { name: 'Cancel' })
      .click();
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
      await page.getByText('Time zone: Europe/Prague').first().waitFor();
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
          .locator('[data-time-grid]')
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
});
