import { expect, it } from 'vitest';
import { contactOf, eventually, putPeople } from '../support/world.ts';
import { axeFaults, describeWeb, go, newName, newParent, openSite, PHONE } from './support/browser.ts';
import { describeSchool } from './support/site-events.ts';

describeWeb('what asks its readers to confirm', () => {
  it('a message is confirmed by a parent in the inbox; staff see who has and call who has not', async () => {
    const world = await openSite();
    await describeSchool(world, 'UTC');
    const parent = newParent();
    const jan = `Jan ${'Velkopopovický'.repeat(4)}`;
    const { scope } = world;
    await putPeople(world, [
      contactOf(1, { user_id: parent.user_id, name: 'Eva Malá', roles: ['parent'], locale: 'en' }),
      contactOf(2, { user_id: 'ack-ida', name: 'Ida Malá', class_ids: ['Q1'], guardians: [parent.user_id] }),
      contactOf(3, { user_id: 'ack-jan', name: jan, class_ids: ['Q1'], phone: '+420601000123' }),
    ]);
    const staff = await world.visit('/messages/new');
    await staff.getByLabel('Class').selectOption({ label: 'Q1 (2 people)' });
    await staff.getByRole('textbox', { name: 'Subject' }).fill('Trip on Friday');
    await staff.getByRole('textbox', { name: 'Message' }).fill('Bring boots.');
    await staff.getByRole('switch', { name: 'Ask readers to confirm' }).check();
    await staff.getByLabel('Remind those who have not confirmed').selectOption({ label: 'After 48 hours' });
    await staff.getByRole('checkbox', { name: 'Push' }).last().check();
    await staff.getByRole('checkbox', { name: 'Email' }).last().uncheck();
    expect(await axeFaults(staff)).toEqual([]);
    await staff.getByRole('button', { name: /^Send to \d+ p/ }).click();
    await staff.getByRole('heading', { name: 'Who has confirmed' }).waitFor();
    await staff.getByText('0 of 2 people have confirmed').waitFor();
    await staff.getByText('Reminder after 48 hours: Push').waitFor();

    const page = await world.visit('/inbox', { as: parent, viewport: PHONE });
    const entry = page.getByRole('listitem').filter({ hasText: 'Trip on Friday' });
    await entry.getByRole('button', { name: 'I have read this' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await entry.getByRole('button', { name: 'I have read this' }).click();
    await entry.getByText('You have confirmed that you have read this.').waitFor();
    await expect.poll(() => entry.getAttribute('data-unread')).toBe(null);
    await page.leave();

    await staff.reload();
    await staff.getByText('1 of 2 people has confirmed').waitFor();
    await staff.getByRole('listitem').filter({ hasText: jan }).waitFor();
    await staff.getByRole('button', { name: /^Confirmed 1/ }).click();
    await staff.getByText(/in the app · Eva Malá/).waitFor();
    expect(await axeFaults(staff)).toEqual([]);
    await staff.getByRole('button', { name: 'Remind those who have not confirmed' }).click();
    const dialog = staff.getByRole('dialog');
    await dialog.getByLabel('When').selectOption({ label: 'In 24 hours' });
    await dialog.getByRole('checkbox', { name: 'SMS' }).check();
    expect(await axeFaults(staff)).toEqual([]);
    await dialog.getByRole('button', { name: 'Schedule reminder' }).click();
    await staff.getByText('The reminder is scheduled.').waitFor();
    const deliveries = world.database.collection('deliveries');
    const reminder = { school_id: scope.school_id, trigger: 'acknowledgement.due', channel: 'sms', user_id: 'ack-jan' };
    await eventually(
      'the reminder is prepared',
      async () => (await deliveries.countDocuments(reminder as never)) === 1,
    );
    await staff.getByRole('link', { name: 'Call list' }).click();
    const row = staff.getByRole('row').filter({ hasText: jan });
    await row.getByRole('link', { name: /^\+420/ }).waitFor();
    expect(await axeFaults(staff)).toEqual([]);
    expect(await axeFaults(staff, [{ width: 320, height: 640 }])).toEqual([]);
    const deadline = staff.getByLabel('Must know by');
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    const asked = staff.waitForRequest(/call_list\?deadline/);
    await deadline.fill(inThreeDays);
    // By the clock of the school, not by that of the browser.
    expect(new URL((await asked).url()).searchParams.get('deadline')).toBe(`${inThreeDays}:00.000Z`);
    await staff.getByText('Everyone gets a message before then.').waitFor();
    await deadline.fill('');
    await row.getByRole('button', { name: `Reached: ${jan}` }).click();
    await staff.getByRole('textbox', { name: 'Note' }).fill('Comes with his aunt');
    await staff.getByRole('button', { name: 'Save' }).click();
    await staff.getByText('Everyone has confirmed. There is no one to call.').waitFor();
  });

  it('the call list of an event that does not exist says so, and offers nothing else', async () => {
    const world = await openSite();
    const page = await world.visit('/calls/event/01a00000-0000-7000-8000-000000000000');
    page.expectFaults(/404/);
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
  });

  it('an event carries the rule of its reminder, which begins with a channel, from the draft on', async () => {
    const world = await openSite();
    const title = newName('Trip');
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page.getByRole('link', { name: /More details/ }).click();
    await page.getByRole('switch', { name: 'Ask readers to confirm' }).check();
    await page
      .getByLabel('Remind those who have not confirmed')
      .selectOption({ label: '24 hours after the announcement' });
    const stored = async () => await world.database.collection('events').findOne({ title });
    const reminder = async () => (await stored())?.acknowledgement_reminder;
    await expect.poll(reminder).toEqual({ after_hours: 24, channels: ['email'] });
    await page.getByRole('checkbox', { name: 'SMS' }).check();
    await page.getByRole('checkbox', { name: 'Email' }).uncheck();
    expect(await axeFaults(page)).toEqual([]);
    await expect.poll(reminder).toEqual({ after_hours: 24, channels: ['sms'] });
    page.expectFaults(/422/);
    const refused = page.waitForResponse((one) => one.status() === 422);
    await page.getByRole('checkbox', { name: 'SMS' }).uncheck();
    await page.getByText('Select at least one channel').waitFor();
    await refused;
    expect(await reminder()).toEqual({ after_hours: 24, channels: ['sms'] });
    await go(page, `/events/${(await stored())?._id}`);
    await page.getByText('Reminder after 24 hours: SMS').waitFor();
  });
});
