import sharp from 'sharp';
import { expect, it } from 'vitest';
import { latch } from '../../support/latch.ts';
import { contactOf, putPeople } from '../../support/world.ts';
import { axeFaults, describeWeb, newParent, openSite, PHONE } from '../support/browser.ts';
import { describeSchool } from '../support/site-events.ts';

describeWeb('the page of the school', () => {
  it('saves name, color, quiet hours, holidays and channels, and shows them to everyone', async () => {
    const world = await openSite();
    const page = await world.visit('/school');
    await page.getByRole('textbox', { name: 'Name of the school' }).fill('Lipová School');
    await page.getByRole('switch', { name: 'Use our own color' }).check();
    await page.getByLabel('Color', { exact: true }).fill('#7a1f3d');
    await page.getByRole('switch', { name: 'Quiet hours for everyone' }).check();
    await page.getByRole('button', { name: 'Add a holiday' }).click();
    await page.getByRole('textbox', { name: 'Name of the holiday' }).and(page.locator(':focus')).fill('Christmas');
    await page.getByLabel('First day').fill('2026-12-23');
    await page.getByLabel('Last day').fill('2027-01-03');
    await page.getByRole('checkbox', { name: 'Event is starting: Inbox' }).uncheck();
    const buffer = await sharp({ create: { width: 600, height: 200, channels: 4, background: '#7a1f3d' } })
      .png()
      .toBuffer();
    const logo = page.getByLabel('Choose a logo or drop it here');
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await page.getByRole('img', { name: 'The logo of the school' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('link', { name: 'Lipová School' }).waitFor();
    expect(await world.database.collection('schools').findOne(world.scope)).toMatchObject({
      name: 'Lipová School',
      color: '#7a1f3d',
      logo_url: expect.stringMatching(/\/files\/[0-9a-f]{48}\/logo\.png$/),
      quiet_hours: { from: '21:00', to: '07:00' },
      term_calendar: [{ name: 'Christmas', start_date: '2026-12-23', end_date: '2027-01-03' }],
      channels: { 'event.starting': ['push'] },
    });
    await page.leave();
    const parents = await world.visit('/settings', { as: newParent(), viewport: PHONE });
    await parents.getByRole('link', { name: 'Lipová School' }).waitFor();
    const accent = () =>
      parents.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--school'));
    await expect.poll(accent).toBe('#7a1f3d');
    // Before the first paint of the next visit, too.
    await parents.route('**/api/v1/me', () => {});
    await parents.reload();
    expect(await accent()).toBe('#7a1f3d');
  });

  it('keeps what is typed while the server saves what was typed before', async () => {
    const world = await openSite();
    const page = await world.visit('/school');
    const sender = page.getByLabel('Sender name in emails');
    const name = page.getByLabel('Name of the school');
    const { open: release, opened: held } = latch();
    await page.route('**/operations/school', async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    await name.fill('Lipová');
    await name.press('Enter');
    await sender.fill('The office');
    release();
    await page.getByText('Changes saved').waitFor();
    expect(await sender.inputValue()).toBe('The office');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => world.database.collection('schools').findOne(world.scope))
      .toMatchObject({ name: 'Lipová', sender_name: 'The office' });
  });

  it('asks before it replaces what someone else has changed meanwhile, and keeps what is typed', async () => {
    const world = await openSite();
    const page = await world.visit('/school');
    page.expectFaults(/412/);
    const name = page.getByLabel('Name of the school');
    const sender = page.getByLabel('Sender name in emails');
    const save = page.getByRole('button', { name: 'Save changes' });
    const theirs = (sender_name: string) =>
      world.call('PUT', '/api/v1/operations/school', { name: 'Theirs', timezone: 'UTC', locale: 'en', sender_name });
    const stored = () => world.database.collection('schools').findOne(world.scope);
    await name.fill('Mine');
    await theirs('Office');
    await save.click();
    await page.getByText('Someone else has changed this.').waitFor();
    expect(await name.inputValue()).toBe('Mine');
    expect(await sender.inputValue()).toBe('Office');
    expect(await stored()).toMatchObject({ name: 'Theirs' });
    await save.click();
    await page.getByText('Changes saved').waitFor();
    expect(await stored()).toMatchObject({ name: 'Mine', sender_name: 'Office' });
    await sender.fill('Me');
    await theirs('Reception');
    await save.click();
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    expect([await name.inputValue(), await sender.inputValue()]).toEqual(['Theirs', 'Reception']);
    expect(await save.isDisabled()).toBe(true);
  });

  it('adds an outside calendar once and removes it, says beside a field why what was typed is refused, and keeps it', async () => {
    const world = await openSite();
    const page = await world.visit('/school', { viewport: PHONE });
    page.expectFaults(/422/);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Town hall');
    const address = page.getByLabel('Address of the calendar (ICS)');
    await address.fill('http://town.example/fair.ics');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Enter a web address that begins with https://').waitFor();
    await address.fill('webcal://town.invalid/fair.ics');
    const { open: answer, opened: asked } = latch();
    let sent = 0;
    await page.route('**/outside-calendars', async (route) => {
      if (route.request().method() === 'POST') sent += 1;
      await asked;
      await route.continue();
    });
    await address.press('Enter');
    await page.locator('button[aria-busy=true]').waitFor();
    await address.press('Enter');
    answer();
    await page.getByText('https://town.invalid/fair.ics').waitFor();
    expect(sent).toBe(1);
    expect(await name.inputValue()).toBe('');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: /Town hall/ }).click();
    const question = page.getByRole('dialog', { name: 'Remove this calendar?' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('https://town.invalid/fair.ics').waitFor({ state: 'detached' });

    await page.getByRole('switch', { name: 'Use our own color' }).check();
    await page.getByLabel('Color', { exact: true }).fill('#ffff00');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('White text on this color is hard to read.').waitFor();
    await expect
      .poll(() => page.getByLabel('Color', { exact: true }).evaluate((input) => input === document.activeElement))
      .toBe(true);
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('link', { name: 'Calendar' }).click();
    expect(await page.getByLabel('Color', { exact: true }).inputValue()).toBe('#ffff00');
    await page.getByRole('switch', { name: 'Use our own color' }).uncheck();
    await page.getByText('Some fields need attention.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add a holiday' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a name', { exact: true }).waitFor();
  });

  it('shows each message on each channel and in each language, an email in a frame with its styles', async () => {
    const world = await openSite();
    await describeSchool(world, 'Europe/Prague');
    const page = await world.visit('/school');
    const card = page.getByRole('region', { name: 'Preview messages' });
    const email = card.frameLocator('iframe');
    await email.getByText('Autumn fair').first().waitFor();
    // White text on the button: the styles of the email apply.
    const link = email.getByRole('link', { name: 'See the event' });
    expect(await link.evaluate((button) => getComputedStyle(button).color)).toBe('rgb(255, 255, 255)');
    await card.getByRole('combobox', { name: 'Message', exact: true }).selectOption('Event cancelled');
    await card.getByRole('combobox', { name: 'Language of the message' }).selectOption('Čeština');
    await card.getByText(/^Zrušeno: Podzimní slavnost/).waitFor();
    await card.getByRole('radio', { name: 'SMS' }).check();
    await card.getByText(/^Lipova: /).waitFor();
    await card.getByText(/^Costs \d text messages?$/).waitFor();
    page.expectFaults(/422/);
    await card.getByRole('button', { name: 'Send it to me as a test' }).click();
    await card.getByText('The directory has no address for you on this channel.').waitFor();
    const { body: me } = await world.call('GET', '/api/v1/me');
    await putPeople(world, [contactOf(1, { user_id: me.user_id, name: 'Karl', roles: ['staff'] })]);
    await card.getByRole('radio', { name: 'Inbox' }).check();
    await card.getByRole('button', { name: 'Send it to me as a test' }).click();
    await page.getByText('A test message is on its way to you').waitFor();
  });

  it('is open only to those who manage the settings', async () => {
    const world = await openSite();
    const page = await world.visit('/school', { as: newParent() });
    page.expectFaults(/403/);
    await page.getByText('You don’t have permission to see or do this.').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });
});
