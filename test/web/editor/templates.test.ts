import { expect, it } from 'vitest';
import { axeFaults, describeWeb, go, newName, openSite, PHONE } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('templates of events', () => {
  it('saves an event as a template, creates a draft from it, renames and deletes it', async () => {
    const world = await openSite();
    const title = newName('Class meeting');
    const id = await createEvent(world, {
      title,
      event_type: 'meeting',
      start_date: '2027-03-01',
      end_date: '2027-03-01',
      tags: ['5.A'],
    });
    const page = await world.visit(`/events/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Save as a template' }).click();
    const name = page.getByRole('textbox', { name: 'Name of the template' });
    expect(await name.inputValue()).toBe(title);
    await name.fill('Meeting');
    await page.getByRole('button', { name: 'Save as a template' }).click();
    await page.getByText('Template saved.').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Save as a template' }).click();
    await name.fill('Meeting ');
    page.expectFaults(/422/);
    await page.getByRole('button', { name: 'Save as a template' }).click();
    await page.getByText('Choose another name: this one is taken.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.setViewportSize(PHONE);
    await go(page, '/events/new');
    await page.getByRole('button', { name: 'Use a template' }).click();
    const spring = 'Springmeeting'.repeat(6);
    const rename = page.getByRole('button', { name: 'Rename: Meeting' });
    await rename.click();
    await page.getByRole('textbox', { name: 'Name of the template' }).fill('Autumn meeting');
    // Ends the renaming only, not the dialog.
    await page.keyboard.press('Escape');
    await expect.poll(() => rename.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name of the template' }).fill(spring);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByLabel('First day of the event').fill('2027-05-03');
    const names = page.getByRole('dialog').getByRole('list');
    expect(await names.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: spring, exact: true }).click();
    await page.waitForURL(/\/edit/);
    await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).first().inputValue()).toBe(title);
    const [, draft] = /events\/([^/]+)\/edit/.exec(page.url()) ?? [];
    const { body } = await world.call('GET', `/api/v1/operations/events/${draft}`);
    expect(body).toMatchObject({ status: 'draft', start_date: '2027-05-03', tags: ['5.A'] });

    await go(page, '/events/new');
    await page.getByRole('button', { name: 'Use a template' }).click();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: `Delete: ${spring}` }).click();
    await page.getByRole('button', { name: `Delete: ${spring}` }).waitFor({ state: 'detached' });
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  });
});
