import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { draft, E } from '../../support/world.ts';
import { DESKTOP, describeWeb, newName, provideSite } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('the form of an event in a series', () => {
  const world = provideSite('Europe/Prague');

  it('changes this and the following events of a series', async () => {
    const weekly = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };
    const choir = `Choir ${randomUUID()}`;
    await createEvent(world, draft({ title: choir, ...weekly }), [['publish?scope=all']]);
    const titles = async () => {
      const events = world.database
        .collection('events')
        .find({ title: new RegExp(`^${choir}`) })
        .sort({ start_date: 1 });
      return (await events.toArray()).map(({ _id, title }) => ({ id: String(_id), title }));
    };
    const second = (await titles())[1]?.id;
    const page = await world.visit(`/events/${second}/edit`);
    await page.getByLabel('Title', { exact: true }).fill(`${choir}, new`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(3);
    expect(await dialog.getByLabel('Only this event').isChecked()).toBe(true);
    await dialog.getByLabel('This and following events').check();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(`**/events/${second}`);
    expect((await titles()).map(({ title }) => title)).toEqual([choir, `${choir}, new`, `${choir}, new`]);
  });

  it('publishes, lengthens and shortens a series as a whole, and cancels a date with registrations only if asked', async () => {
    const weekly = {
      is_recurring: true,
      recurrence_pattern: 'weekly',
      recurrence_count: 2,
      registration_type: 'optional',
    };
    const id = await createEvent(world, draft({ title: newName('Chess'), ...weekly }), []);
    const series = async () => {
      const { body } = await world.call('GET', `${E}/${id}/occurrences`);
      return body.data as unknown as { id: string; status: string }[];
    };
    const page = await world.visit(`/events/${id}/edit?step=schedule`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Publish…' }).click();
    await dialog.getByText(/^Dates: /).waitFor();
    expect(await dialog.getByLabel('All events in the series').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.waitForURL(`**/events/${id}`);
    const last = (await series()).at(-1)?.id;
    expect((await world.call('POST', `${E}/${last}/registrations`, { kind: 'attendee' })).status).toBe(201);

    await page.goto(`/events/${id}/edit?step=schedule`);
    const choose = async (count: string) => {
      await page.getByLabel('Number of events').fill(count);
      await page.getByRole('button', { name: 'Save changes' }).click();
    };
    await page.setViewportSize({ width: 320, height: 640 });
    expect((await page.getByLabel('Ends', { exact: true }).boundingBox())?.width).toBeGreaterThan(150);
    await page.setViewportSize(DESKTOP);
    await choose('60');
    await dialog.getByText(/^58 new dates: .* and 18 more$/).waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose('1');
    await dialog.getByText(/^This date stays, because people are registered: /).waitFor();
    await dialog.getByLabel('Cancel dates with registrations too').check();
    await dialog.getByText(/^Cancelled date: /).waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(`**/events/${id}`);
    expect((await series()).map(({ status }) => status)).toEqual(['published', 'cancelled']);
  });
});
