import { expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { anEntry } from '../support/message-builders.ts';
import { contactOf } from '../support/world.ts';
import { axeFaults, describeWeb, go, provideSite, type Visit } from './support/browser.ts';
import { createEvent } from './support/site-events.ts';

describeWeb('viewing as someone else', () => {
  const world = provideSite('Europe/Prague', [
    contactOf(1, { user_id: 'eva', name: 'Eva Nováková', roles: ['parent'] }),
    contactOf(2, { user_id: 'tom', name: 'Tom Novák', roles: ['student'], guardians: ['eva'] }),
  ]);

  const event = { event_type: 'meeting', start_date: '2031-05-06', end_date: '2031-05-06' };
  const choose = async (page: Visit) => {
    await page.getByRole('button', { name: 'Account: staff-1 S1' }).click();
    await page.getByRole('menuitem', { name: 'View as…' }).click();
  };

  it('shows the calendar, an event and the inbox as a parent until it is stopped, and changes nothing', async () => {
    await createEvent(world, { ...event, title: 'For staff', visibility: 'staff_only' });
    const open = await createEvent(world, {
      ...event,
      title: 'For all',
      registration_type: 'optional',
      send_notifications: false,
    });
    const row = anEntry({
      ...world.scope,
      id: newId(),
      user_id: 'eva',
      event_id: open,
      trigger: 'message',
      title: 'Boots',
    });
    await deliveryStore(world.database).insertMany([row]);

    const page = await world.visit(`/events/${open}`);
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    await edit.waitFor();
    await go(page, '/events?view=month&date=2031-05-06');
    await page.getByText('For staff').first().waitFor();
    await choose(page);
    const dialog = page.getByRole('dialog', { name: 'View as someone else' });
    await dialog.getByLabel('View as', { exact: true }).selectOption({ label: 'One person' });
    await dialog.getByRole('combobox', { name: 'Person' }).fill('novakova');
    await dialog.getByRole('option', { name: /Eva Nováková/ }).click();
    await dialog.getByRole('button', { name: 'View', exact: true }).click();

    const banner = page.getByText('You are viewing the calendar as Eva Nováková (parent).');
    await banner.waitFor();
    await go(page, '/events?view=month&date=2031-05-06');
    await banner.waitFor();
    await page.getByText('For all').first().waitFor();
    expect(await page.getByText('For staff').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'New event' }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);

    await go(page, `/events/${open}`);
    await page.getByRole('heading', { name: 'Registration' }).waitFor();
    await page.getByTestId('spots').waitFor();
    // Not what the browser kept of the staff's own view.
    expect(await edit.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Register' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Cancel event' }).count()).toBe(0);

    await go(page, '/inbox');
    await page.getByRole('listitem').filter({ hasText: 'Boots' }).waitFor();
    await page.getByRole('link', { name: 'Inbox, 1 unread message' }).waitFor();
    expect(await page.getByRole('button', { name: /Mark/ }).count()).toBe(0);
    const [stored] = await world.deliveries({ _id: row.id });
    expect(stored).toMatchObject({ seen_at: null, read_at: null });

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForURL('**/events');
    await page.getByRole('link', { name: 'New event' }).first().waitFor();
    expect(await banner.count()).toBe(0);
    await go(page, '/people/eva');
    await page.getByRole('heading', { name: 'Staff who viewed the calendar as this person' }).waitFor();
  });

  it('shows a role in Czech, and ends with the sign-out', async () => {
    const page = await world.visit('/events', { language: 'cs' });
    await page.getByRole('button', { name: /^Účet/ }).click();
    await page.getByRole('menuitem', { name: 'Zobrazit jako…' }).click();
    await page.getByRole('button', { name: 'Zobrazit', exact: true }).click();
    await page.getByText('Prohlížíte si kalendář jako rodič.').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('cs');
    await page.getByRole('button', { name: /^Účet/ }).click();
    // The page stays until the identity provider answers, and asks the API for nothing more.
    await page.route(/openid-configuration|sign-in-page/, () => {});
    await page.getByRole('menuitem', { name: 'Odhlásit se' }).click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('session'))).toBeNull();
    expect(await page.evaluate(() => sessionStorage.getItem('view-as'))).toBeNull();
    await page.getByRole('button', { name: /^Hledat/ }).click();
    await page.getByRole('combobox', { name: 'Hledat', exact: true }).fill('výlet');
    await page.getByText('Byli jste odhlášeni').waitFor();
  });
});
