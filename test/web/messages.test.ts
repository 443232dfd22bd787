import { expect, it } from 'vitest';
import { latch } from '../support/latch.ts';
import { contactOf, putPeople } from '../support/world.ts';
import { axeFaults, describeWeb, newName, newParent, openSite, PHONE } from './support/browser.ts';
import { describeSchool } from './support/site-events.ts';

describeWeb('messages of the school', () => {
  it('are written from a saved text in two languages, undone, sent, reported and withdrawn', async () => {
    const world = await openSite();
    await describeSchool(world, 'UTC');
    await putPeople(world, [contactOf(1, { roles: ['parent'] }), contactOf(2, { roles: ['staff'], email: null })]);
    const page = await world.visit('/messages/texts', { viewport: PHONE });
    const openMessages = () => page.getByRole('link', { name: 'Messages' }).first().click();
    await page.getByRole('button', { name: 'Add a text' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Closed');
    await dialog.getByText('Emails already begin with “Hello”').waitFor();
    await dialog.getByRole('textbox', { name: 'Subject' }).fill('School is closed tomorrow');
    await dialog.getByRole('textbox', { name: 'Message' }).fill('The heating has failed.');
    await dialog.getByRole('button', { name: 'Translate into Czech' }).click();
    await dialog.getByRole('textbox', { name: 'Subject in Czech' }).fill('Zítra je škola zavřená');
    await dialog.getByRole('textbox', { name: 'Message in Czech' }).fill('Nefunguje topení.');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Closed' }).waitFor();

    await openMessages();
    await page.getByRole('link', { name: 'Write a message' }).click();
    await page.getByRole('checkbox', { name: 'Push' }).uncheck();
    await page.getByRole('switch', { name: 'Urgent' }).check();
    const send = page.getByRole('button', { name: /^Send to \d+ p/ });
    await send.click();
    await page.getByText('Enter a subject').waitFor();
    await page.getByLabel('Saved text').selectOption('Closed');
    expect(await axeFaults(page)).toEqual([]);
    await send.click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Message withdrawn. No one received it.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message in Czech' }).inputValue()).toBe('Nefunguje topení.');
    await send.click();
    await page.getByRole('heading', { name: 'School is closed tomorrow', exact: true }).waitFor();
    await page.getByText('Zítra je škola zavřená').waitFor();
    await page.getByText(/^Urgent message from the school: /).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Withdraw message' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw message' }).click();
    await page.getByText('Withdrawn', { exact: true }).waitFor();
    const stored = await world.database.collection('messages').find(world.scope).toArray();
    expect(stored).toMatchObject([
      { status: 'withdrawn', urgent: true, translations: { cs: { body: 'Nefunguje topení.' } } },
      { status: 'withdrawn', subject: 'School is closed tomorrow', channels: ['email', 'in_app'] },
    ]);
    await openMessages();
    await page.getByRole('link', { name: 'School is closed tomorrow' }).nth(1).waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  it('are sent once by two presses, of which the second comes before the next page was loaded', async () => {
    const world = await openSite();
    await putPeople(world, [contactOf(6, { roles: ['parent'] })]);
    const page = await world.visit('/messages/new');
    const { open: release, opened: held } = latch();
    await page.route('**/assets/message-page-*.js', (route) => held.then(() => route.continue()));
    await page.getByRole('textbox', { name: 'Subject' }).fill('Lunch');
    await page.getByRole('textbox', { name: 'Message' }).fill('Pasta.');
    const send = page.getByRole('button', { name: /^Send to \d+ p/ });
    await send.click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await send.click();
    release();
    await page.getByRole('button', { name: 'Withdraw message' }).waitFor();
    expect(await world.database.collection('messages').countDocuments(world.scope)).toBe(1);
  });

  it('are sent after an undo that came before the next page was loaded', async () => {
    const world = await openSite();
    await putPeople(world, [contactOf(4, { roles: ['parent'] })]);
    const page = await world.visit('/messages/new');
    await page.route('**/assets/message-page-*.js', async (route) => {
      await page.getByText('Message withdrawn. No one received it.').waitFor();
      await route.continue();
    });
    await page.getByRole('textbox', { name: 'Subject' }).fill('Lunch');
    await page.getByRole('textbox', { name: 'Message' }).fill('Pasta.');
    const send = page.getByRole('button', { name: /^Send to \d+ p/ });
    await send.click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Message withdrawn. No one received it.').waitFor();
    await send.click();
    await page.getByRole('button', { name: 'Withdraw message' }).waitFor();
    const stored = await world.database.collection('messages').find(world.scope).sort({ _id: 1 }).toArray();
    expect(stored.map(({ status }) => status)).toEqual(['withdrawn', 'sent']);
  });

  it('are sent once what the school refuses has been changed', async () => {
    const world = await openSite();
    await putPeople(world, [contactOf(5, { roles: ['parent'] })]);
    const page = await world.visit('/messages/new');
    page.expectFaults(/422/);
    await page.getByRole('textbox', { name: 'Subject' }).fill('Lunch');
    await page.getByRole('textbox', { name: 'Message' }).fill('Pasta.');
    await page.getByRole('switch', { name: 'Send email replies to me' }).check();
    const send = page.getByRole('button', { name: /^Send to \d+ p/ });
    await send.click();
    await page.getByText('Replies can’t go to you').waitFor();
    await page.getByRole('switch', { name: 'Send email replies to me' }).uncheck();
    await send.click();
    await page.getByRole('button', { name: 'Withdraw message' }).waitFor();
  });

  it('show in an open inbox that they were withdrawn', async () => {
    const world = await openSite();
    const parent = newParent();
    await putPeople(world, [contactOf(3, { user_id: parent.user_id, roles: ['parent'] })]);
    const subject = newName('Closed');
    const path = '/api/v1/operations/messages';
    const { body } = await world.call('POST', path, { subject, body: 'Stay at home.', channels: ['in_app'] });
    const page = await world.visit('/inbox', { as: parent, live: true });
    const entry = page.getByRole('listitem').filter({ hasText: subject });
    await entry.waitFor();
    await world.call('POST', `${path}/${body.id}/withdraw`);
    await entry.getByText('The school has withdrawn this message.').waitFor();
  });
});
