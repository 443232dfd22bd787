import type { BrowserContext, Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { inboxStore } from '../../src/mongo/notifications/inbox-store.ts';
import type { StoredEntry } from '../../src/notifications/inbox/entry.ts';
import { anEntry } from '../support/message-builders.ts';
import { contactOf, draft, putPeople } from '../support/world.ts';
import { axeFaults, describeWeb, newParent, PHONE, provideSite } from './support/browser.ts';
import { createEvent } from './support/site-events.ts';

describeWeb('the inbox', () => {
  const world = provideSite();
  let event: string;
  beforeAll(async () => {
    event = await publishEvent({ send_notifications: false });
  });

  const publishEvent = (more: object = {}) => createEvent(world, draft({ visibility: 'public', ...more }));

  /** Inserts messages into a user's inbox, the newest last. */
  const insertMessages = async ({ user_id }: { user_id: string }, ...entries: Partial<StoredEntry>[]) => {
    const rows = entries.map((entry, at) =>
      anEntry({
        ...world.scope,
        id: newId(),
        user_id,
        event_id: event,
        trigger: 'message',
        title: `Message ${at + 1}`,
        body: 'Bring boots.',
        settled_at: new Date(Date.now() - (entries.length - at) * 60_000),
        ...entry,
      }),
    );
    await deliveryStore(world.database).insertMany(rows);
    await inboxStore(world.database).signalArrivals(rows);
  };
  const waitForBell = (page: Page, name: string) =>
    page.getByRole('banner').getByRole('link', { name, exact: true }).waitFor();

  it('receives the message about a published event, and links to it', async () => {
    const parent = newParent();
    const { user_id } = parent;
    const contact = contactOf(1, { user_id, roles: ['parent'], locale: 'en' });
    await putPeople(world, [contact]);
    const announced = await publishEvent();
    const page = await world.visit('/inbox', { as: parent });
    const entry = page.getByRole('listitem').filter({ hasText: 'Autumn concert' });
    await entry.waitFor();
    await waitForBell(page, 'Inbox, 1 unread message');
    await entry.getByRole('link').click();
    await page.waitForURL(`**/events/${announced}`);
    await waitForBell(page, 'Inbox');
  });

  it('shows a new message once, live on every page', async () => {
    const parent = newParent();
    const page = await world.visit('/events', { as: parent, live: true });
    await waitForBell(page, 'Inbox');
    await insertMessages(parent, { title: 'The bus leaves at seven' });
    const notice = page.getByRole('region', { name: 'Notices' }).getByText('The bus leaves at seven');
    await notice.waitFor();
    expect(await notice.count()).toBe(1);
    await waitForBell(page, 'Inbox, 1 unread message');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForURL(`**/events/${event}`);
  });

  it('marks, archives and restores messages with the keyboard', async () => {
    const parent = newParent();
    await insertMessages(parent, { title: 'One' }, { title: 'Two' }, { title: 'Three' });
    const page = await world.visit('/inbox', { as: parent });
    const titles = () => page.getByRole('main').getByRole('listitem').getByRole('link').allTextContents();
    await expect.poll(titles).toEqual(['Three', 'Two', 'One']);
    await page.getByRole('button', { name: 'Mark as read: Two' }).press('Enter');
    await waitForBell(page, 'Inbox, 2 unread messages');
    await page.getByRole('link', { name: 'Unread (2)' }).click();
    await expect.poll(titles).toEqual(['Three', 'One']);
    await page.getByRole('button', { name: 'Archive: Three' }).press('Enter');
    await expect.poll(titles).toEqual(['One']);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('One');
    await page.getByRole('button', { name: 'Archive: One' }).press('Enter');
    await page.getByText('Moved to archive').nth(1).waitFor();
    for (const restored of [['One'], ['Three', 'One']]) {
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(titles).toEqual(restored);
    }
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You have read all your messages').waitFor();
    await waitForBell(page, 'Inbox');
    await page.getByRole('link', { name: 'Archive', exact: true }).click();
    await page.getByText('The archive is empty').waitFor();
    // Only the folder that is shown looks chosen.
    expect(await page.locator('nav [aria-current=page]').allTextContents()).toEqual(['Archive']);
  });

  it('focuses the next message after one was archived, also below a message with a link', async () => {
    const parent = newParent();
    const offer = { title: 'Boots', body: 'For sale at https://shop.example/boots.' };
    await insertMessages(parent, { title: 'One' }, { title: 'Two' }, offer);
    const page = await world.visit('/inbox', { as: parent });
    await page.getByRole('button', { name: 'Archive: Two' }).press('Enter');
    await page.getByText('Moved to archive').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('One');
  });

  it('marks the language of a message that was written before the reader chose another one', async () => {
    const parent = newParent();
    await insertMessages(parent, { title: 'Akce zrušena', body: 'Kvůli dešti.', locale: 'cs' });
    const page = await world.visit('/inbox', { as: parent });
    for (const text of ['Akce zrušena', 'Kvůli dešti.'])
      expect(await page.getByText(text, { exact: true }).getAttribute('lang')).toBe('cs');
  });

  it('archives one message at a double click', async () => {
    const parent = newParent();
    await insertMessages(parent, { title: 'One' }, { title: 'Two' }, { title: 'Three' });
    const page = await world.visit('/inbox', { as: parent });
    const box = await page.getByRole('button', { name: 'Archive: Three' }).boundingBox();
    if (!box) throw new Error('no button');
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByText('Moved to archive').waitFor();
    await page.getByRole('link', { name: 'Archive', exact: true }).click();
    await page.getByRole('link', { name: 'Three' }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').getByRole('link').allTextContents()).toEqual(['Three']);
  });

  it('marks messages as seen, also in another browser', async () => {
    const parent = newParent();
    await insertMessages(parent, { title: 'Look' });
    const other = await world.visit('/events', { as: parent });
    const badge = other.locator('header [data-new]');
    await badge.waitFor();
    await world.visit('/inbox', { as: parent });
    await badge.waitFor({ state: 'detached' });
    await waitForBell(other, 'Inbox, 1 unread message');
  });

  it('uses one connection for four tabs, and another tab takes over when the leader closes', async () => {
    const parent = newParent();
    const first = await world.visit('/inbox', { as: parent });
    await first.getByText('No messages yet').waitFor();
    const open = streamsOf(first.context());
    await first.reload();
    const tabs = [first as Page];
    while (tabs.length < 4) {
      const tab = await first.context().newPage();
      await tab.goto('/inbox');
      tabs.push(tab);
    }
    await Promise.all(tabs.map((tab) => tab.getByText('No messages yet').waitFor()));
    await expect.poll(() => open().length).toBe(1);

    await insertMessages(parent, { title: 'To all tabs' });
    await Promise.all(tabs.map((tab) => waitForBell(tab, 'Inbox, 1 unread message')));
    await tabs[3]?.bringToFront();
    await tabs[3]?.getByRole('main').getByText('To all tabs').waitFor();

    const [leader] = open();
    await leader?.frame().page().close();
    const left = tabs.filter((tab) => !tab.isClosed());
    expect(left.length).toBe(3);
    await expect.poll(() => open().length).toBe(1);
    await insertMessages(parent, { title: 'And one more' });
    await Promise.all(left.map((tab) => waitForBell(tab, 'Inbox, 2 unread messages')));
    expect(open().length).toBe(1);
  });

  it('opens a link in a message on a phone, and otherwise the event of the message', async () => {
    const parent = newParent();
    await insertMessages(parent, { title: 'Boots', body: 'For sale at https://shop.example/boots.' });
    const page = await world.visit('/inbox', { as: parent, viewport: PHONE });
    const entry = page.getByRole('listitem').filter({ hasText: 'For sale' });
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      entry.getByRole('link', { name: 'https://shop.example/boots', exact: true }).click(),
    ]);
    await popup.close();
    expect(await axeFaults(page, [PHONE])).toEqual([]);
    await entry.getByRole('link', { name: 'Boots', exact: true }).click();
    await page.waitForURL(`**/events/${event}`);
  });

  it('says which messages are out of date, and passes axe', async () => {
    const parent = newParent();
    await insertMessages(parent, { title: 'The bus' }, { title: 'Starts now', trigger: 'event.starting' });
    const page = await world.visit('/inbox', { as: parent });
    const entry = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await entry('Starts now').getByText('This message is out of date.').waitFor();
    expect(await entry('The bus').getByText('out of date').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });
});

/** Tracks a browser's open event streams. */
function streamsOf(context: BrowserContext): () => Request[] {
  const open = new Set<Request>();
  context.on('request', (request) => {
    if (request.url().includes('/inbox/stream')) open.add(request);
  });
  context.on('requestfinished', (request) => void open.delete(request));
  context.on('requestfailed', (request) => void open.delete(request));
  return () => [...open].filter((request) => !request.frame().page().isClosed());
}
