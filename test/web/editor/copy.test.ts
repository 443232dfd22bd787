import { expect, it } from 'vitest';
import { addDays } from '../../../src/core/zoned-time.ts';
import { latch } from '../../support/latch.ts';
import { draft, E } from '../../support/world.ts';
import { axeFaults, describeWeb, newName, provideSite } from '../support/browser.ts';

describeWeb('the page that copies last year’s events', () => {
  const world = provideSite();

  it('copies the chosen events as drafts onto the same weekday a year later', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const [fair, trip] = [newName('Fair'), newName('Trip')];
    for (const title of [fair, trip])
      await world.call(
        'POST',
        E,
        draft({ title, start_date: day, end_date: day, translations: { cs: { title: 'Trh' } } }),
      );
    const page = await world.visit('/events/copy');
    // The school year that today belongs to.
    await page.getByRole('radio').nth(1).check();
    await page.getByLabel(new RegExp(trip)).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel(new RegExp(fair)).check();
    await page.getByRole('button', { name: 'Copy 1 event' }).click();
    await page.getByText('1 draft created').waitFor();
    await page.waitForURL(/drafts=true/);
    const later = addDays(day, 364);
    const { body } = await world.call(
      'GET',
      `${E}?start_date_from=${later}&start_date_to=${later}&fields=translations`,
    );
    expect(body.data).toMatchObject([{ translations: { cs: { title: 'Trh' } } }]);
    const copies = await world.call('GET', `${E}?start_date_from=${later}&fields=title&fields=status`);
    expect(copies.body.data).toMatchObject([{ title: fair, status: 'draft' }]);
  });

  it('leaves alone who has gone on to another page meanwhile', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const title = newName('Play');
    await world.call('POST', E, draft({ title, start_date: day, end_date: day }));
    const page = await world.visit('/events/copy');
    await page.getByRole('radio').nth(1).check();
    await page.getByLabel(new RegExp(title)).check();
    const { open: release, opened: held } = latch();
    await page.route('**/duplicate', (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'Copy 1 event' }).click();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    release();
    await page.getByText('1 draft created').waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(new URL(page.url()).pathname).toBe('/inbox');
  });
});
