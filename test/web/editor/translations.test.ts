import { expect, it } from 'vitest';
import { E } from '../../support/world.ts';
import { axeFaults, describeWeb, go, PARENT, provideSite } from '../support/browser.ts';

describeWeb('an event in two languages', () => {
  const world = provideSite('Europe/Prague');

  it('is translated in the form and shown to each reader in their language', async () => {
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).fill('Open day');
    await page.getByRole('button', { name: 'Translate into Czech' }).click();
    await page.getByLabel('Title in Czech').fill('Den otevřených dveří');
    await page.getByLabel('Description in Czech').fill('Přijďte se podívat.');
    await page.getByRole('button', { name: 'Translate into English' }).click();
    await page.getByText('Draft saved').waitFor();
    await page.waitForFunction(() => new URLSearchParams(location.search).has('draft'));
    const id = new URL(page.url()).searchParams.get('draft') ?? '';
    const stored = async () => (await world.call('GET', `${E}/${id}`)).body;
    const cs = { title: 'Den otevřených dveří', description: 'Přijďte se podívat.' };
    await expect.poll(async () => (await stored()).translations).toEqual({ cs });
    await page.reload();
    await expect.poll(() => page.getByLabel('Title in Czech').inputValue()).toBe(cs.title);
    expect(await axeFaults(page)).toEqual([]);
    await page.leave();

    expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
    const czech = await world.visit(`/events/${id}`, { as: PARENT, locale: 'cs-CZ' });
    await czech.getByRole('heading', { level: 1, name: cs.title }).waitFor();
    await czech.getByText('Původní název: Open day').waitFor();
    await czech.getByText(cs.description).waitFor();
    await go(czech, `/events?date=${(await stored()).start_date}`);
    await czech.getByText(cs.title).first().waitFor();
    await czech.leave();
    const english = await world.visit(`/events/${id}`, { as: PARENT });
    await english.getByRole('heading', { level: 1, name: 'Open day' }).waitFor();
  });

  it('loses a translation that is removed in the form', async () => {
    const event = { title: 'Fair', event_type: 'social', start_date: '2027-03-10', end_date: '2027-03-10' };
    const { body } = await world.call('POST', E, { ...event, translations: { cs: { title: 'Jarmark' } } });
    const page = await world.visit(`/events/${body.id}/edit`);
    await page.getByRole('button', { name: 'Remove the translation into Czech' }).click();
    await page.getByRole('button', { name: 'Translate into Czech' }).waitFor();
    await expect.poll(async () => (await world.call('GET', `${E}/${body.id}`)).body.translations).toEqual({});
  });
});
