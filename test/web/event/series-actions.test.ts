import { expect, it } from 'vitest';
import { addDays } from '../../../src/core/zoned-time.ts';
import { latch } from '../../support/latch.ts';
import { draft, E } from '../../support/world.ts';
import { describeWeb, newName, provideSite } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('the actions on a series', () => {
  const world = provideSite();

  /** Three weekly dates, the second of which is cancelled. */
  async function published() {
    const weekly = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };
    const id = await createEvent(world, draft({ title: newName('Choir'), ...weekly }), [['publish?scope=all']]);
    const dates = async () => {
      const found = await world.call('GET', `${E}/${id}/occurrences`);
      return found.body.data as unknown as { id: string; status: string; start_date: string }[];
    };
    const second = (await dates())[1]?.id;
    await world.call('POST', `${E}/${second}/cancel`, { reason: 'Holiday' });
    return { id, dates };
  }

  it('postpones this and the following dates, and names those that stay', async () => {
    const { id, dates } = await published();
    const before = await dates();
    const page = await world.visit(`/events/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Postpone' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Only this event').isChecked()).toBe(true);
    await dialog.getByLabel('This and following events').check();
    await dialog.getByText(/^Not changed: /).waitFor();
    await dialog.getByText('2 events in the series will change').waitFor();
    await dialog.getByLabel('New date', { exact: true }).fill(addDays(before[0]?.start_date ?? '', 2));
    await dialog.getByLabel('Reason').fill('Snow');
    await dialog.getByRole('button', { name: /^Postpone/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const moved = (n: number) => addDays(before[n]?.start_date ?? '', 2);
    expect((await dates()).map(({ status, start_date }) => [status, start_date])).toEqual([
      ['postponed', moved(0)],
      ['cancelled', before[1]?.start_date],
      ['postponed', moved(2)],
    ]);
  });

  it('can be confirmed once it is shown what they do with the dates that were chosen', async () => {
    const { id } = await published();
    const page = await world.visit(`/events/${id}`);
    const { open: release, opened: held } = latch();
    await page.route(/scope=all/, (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel event' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: /^Cancel event/ });
    await dialog.getByLabel('Reason').fill('Snow');
    await expect.poll(() => confirm.isEnabled()).toBe(true);
    await dialog.getByLabel('All events in the series').check();
    expect(await confirm.isEnabled()).toBe(false);
    release();
    await dialog.getByText('2 events in the series will change').waitFor();
    expect(await confirm.isEnabled()).toBe(true);
  });
});
