import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { contactOf, draft, E, eventually } from '../../support/world.ts';
import { axeFaults, describeWeb, PHONE, provideSite, STAFF, type Visit } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';
import { registerAll, soon } from './concert.ts';

const NAMES = ['Jiří Novák', 'Eva Malá', 'Petr Dvořák', 'Anna Černá', 'Ota Veselý'];

describeWeb('the registrations page', () => {
  const world = provideSite(
    undefined,
    NAMES.map((name, at) => contactOf(at, { name, email: at === 1 ? null : `p${at}@people.example` })),
  );

  /** Creates a published event with registrations, in the order of NAMES. */
  async function eventWith(people: number, more: Record<string, unknown> = {}): Promise<string> {
    const deadline = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const limits = { registration_type: 'required', registration_deadline: deadline, max_attendees: 2 };
    const id = await createEvent(world, draft({ ...limits, waitlist_enabled: true, ...more }));
    for (let at = 0; at < people; at += 1) {
      const payload = { kind: at === 1 ? 'volunteer' : 'attendee', user_id: contactOf(at).user_id };
      await world.call('POST', `${E}/${id}/registrations`, payload);
    }
    return id;
  }
  const pathOf = (id: string) => `/events/${id}/registrations`;
  const openShared = provideSharedPage(world);
  const open = (id: string) => openShared(pathOf(id));
  const row = (page: Visit, name: string) => page.getByRole('row').filter({ hasText: name });
  const waitForText = (page: Visit, name: string, text: string | RegExp) =>
    row(page, name).getByText(text).filter({ visible: true }).waitFor();
  const rows = async (page: Visit) =>
    (await page.getByRole('row').locator('p.font-medium').allTextContents()).map((name) => name.trim());

  it('leads the organizer to the list, which without the permission offers nothing that changes or sends', async () => {
    const id = await eventWith(2, { organizer_id: 'organizer' });
    const as = { user_id: 'organizer', roles: ['staff' as const], permissions: ['events.view'] };
    const page = await world.visit(`/events/${id}`, { as });
    await page.getByRole('link', { name: 'Registrations' }).click();
    await row(page, 'Eva Malá').waitFor();
    await page.getByRole('button', { name: 'Export' }).waitFor();
    for (const name of ['Message attendees', 'Change capacity'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('shows a status whole on a tablet', async () => {
    const page = await world.visit(pathOf(await eventWith(1)), { viewport: { width: 820, height: 1100 } });
    const badge = row(page, 'Jiří Novák').getByText('Confirmed').filter({ visible: true });
    expect(await badge.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  });

  it('has a heading for each column on a phone', async () => {
    const page = await world.visit(pathOf(await eventWith(1)), { viewport: PHONE });
    const cells = page.locator('tbody tr').first().getByRole('cell');
    await cells.first().waitFor();
    expect(await page.getByRole('columnheader').count()).toBe(await cells.count());
  });

  it('filters by status, kind and name, exports what matches as CSV, and keeps the filters in the URL', async () => {
    const page = await open(await eventWith(4));
    await waitForText(page, 'Anna Černá', 'Number 2 on the waitlist');
    expect(await rows(page)).toEqual(NAMES.slice(0, 4));
    await page.getByText('of 2 places taken').waitFor();
    await page.getByLabel('Taking part as').selectOption('volunteer');
    await expect.poll(() => rows(page)).toEqual(['Eva Malá']);
    await page.getByLabel('Taking part as').selectOption('');
    await page.getByRole('searchbox').fill('novak');
    await page.waitForURL(/q=novak/);
    await expect.poll(() => rows(page)).toEqual(['Jiří Novák']);
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(['Jiří Novák']);
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No matching registrations.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
    await expect.poll(() => rows(page)).toEqual(NAMES.slice(0, 4));
    await page.getByRole('button', { name: 'On the waitlist 2' }).click();
    await page.waitForURL(/status=waitlisted/);
    await expect.poll(() => rows(page)).toEqual(['Petr Dvořák', 'Anna Černá']);
    const saved = async (as: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: as }).click(),
      ]);
      return file;
    };
    const workbook = await saved('Excel workbook');
    expect(workbook.suggestedFilename()).toMatch(/^Registrations .+\.xlsx$/);
    expect(
      readFileSync(await workbook.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    const file = await saved('CSV file');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('Petr Dvořák');
    // The search that was cleared has not come back.
    expect(await rows(page)).toEqual(['Petr Dvořák', 'Anna Černá']);
  });

  it('cancels a registration, and shows who was promoted and why', async () => {
    const page = await open(await eventWith(3));
    const dialog = page.getByRole('dialog');
    const askToCancel = async (name: string) => {
      await row(page, name)
        .getByRole('button', { name: /More actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'Cancel registration' }).click();
      return dialog.locator('form p').first().textContent();
    };
    expect(await askToCancel('Petr Dvořák')).toMatch(/^No place becomes free/);
    await dialog.getByRole('button', { name: 'Go back' }).click();
    expect(await askToCancel('Eva Malá')).toMatch(/^1 person is on the waitlist/);
    await dialog.getByLabel('Reason').fill('Ill');
    await dialog.getByRole('button', { name: 'Cancel registration' }).click();
    await waitForText(page, 'Petr Dvořák', 'Got the place of Eva Malá');
    await waitForText(page, 'Eva Malá', 'Ill');
  });

  it('approves, declines and checks in registrations that allow it', async () => {
    const page = await open(await eventWith(2, { requires_approval: true, ...soon() }));
    await row(page, 'Jiří Novák')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await row(page, 'Jiří Novák')
      .getByRole('button', { name: /^Check in/ })
      .press('Enter');
    await waitForText(page, 'Jiří Novák', /Checked in/);
    // Its button is gone, but the keyboard stays in the row.
    const isIn = (name: string) => row(page, name).evaluate((one) => one.contains(document.activeElement));
    await expect.poll(() => isIn('Jiří Novák')).toBe(true);
    await row(page, 'Jiří Novák')
      .getByRole('button', { name: /More actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Undo check-in' }).click();
    await row(page, 'Jiří Novák')
      .getByRole('button', { name: /^Check in/ })
      .waitFor();
    await row(page, 'Eva Malá')
      .getByRole('button', { name: /More actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await waitForText(page, 'Eva Malá', 'Cancelled');
    await expect.poll(() => isIn('Eva Malá')).toBe(true);
    expect(await row(page, 'Eva Malá').getByRole('button').count()).toBe(0);
  });

  it('renders only rows on screen, prints all loaded rows, and cancels all matching registrations', async () => {
    const id = await eventWith(1, { max_attendees: 700 });
    // More than a page of the API.
    const guests = Array.from({ length: 119 }, (_, at) => `guest-${at}`);
    await registerAll(world, id, guests);
    const page = await open(id);
    await page.getByRole('button', { name: 'All 120' }).waitFor();
    await page.getByRole('row').nth(5).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    // The print has all loaded rows and no buttons.
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Only the first 100 are listed').waitFor();
    expect(await page.getByRole('row').count()).toBe(101);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'All 120' }).waitFor();
    await page.getByLabel('Select guest-3', { exact: true }).check();
    await page.getByTestId('live').getByText('1 selected').waitFor();
    // How many a search finds is not known before all of them are loaded.
    await page.getByLabel('Search by name').fill('guest');
    await page.getByRole('button', { name: 'Select all that match' }).waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('-1');
    await page.getByLabel('Search by name').fill('');
    await page.getByRole('button', { name: 'Select all 120' }).click();
    await page.getByTestId('live').getByText('120 selected').waitFor();
    await page.getByRole('button', { name: 'Cancel registration (120)' }).click();
    await page.getByRole('dialog').getByText('Cancel 120 registrations?').waitFor();
    await page
      .getByRole('dialog')
      .getByText(/^The places become free\..* these people can register again\.$/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel registration' }).click();
    await page.getByText('120 registrations cancelled').waitFor();
    await page.getByRole('button', { name: 'Cancelled 120' }).waitFor();
  });

  it('says that the next registrations can’t be loaded, and tries again', async () => {
    const id = await eventWith(1, { max_attendees: 700 });
    const guests = Array.from({ length: 119 }, (_, at) => `guest-${at}`);
    await registerAll(world, id, guests);
    const page = await world.visit(pathOf(id));
    page.expectFaults(/403/);
    await page.route(/registrations\?.*cursor=/, (route) =>
      route.fulfill({ status: 403, json: { code: 'forbidden' } }),
    );
    await row(page, 'guest-3').waitFor();
    const more = page.getByRole('button', { name: 'Show more' });
    const fault = page.getByRole('alert').getByText('You don’t have permission');
    // More than once: the list may grow, or the page may go to its top, after the first turn of the wheel.
    const scrollTo = (end: Locator) =>
      eventually('the end of the list is shown', async () => {
        await page.mouse.wheel(0, 100_000);
        return end.isVisible();
      });
    await scrollTo(more);
    // When the page hears of the registrations, it reads the list again and no longer knows of the fault.
    await eventually('the fault is shown', async () => {
      await more.click();
      return fault.isVisible();
    });
    await page.unrouteAll();
    await more.click();
    await more.waitFor({ state: 'detached' });
    await scrollTo(row(page, 'guest-118'));
  });

  it('previews who receives a message, passes axe, and sends it once', async () => {
    const id = await eventWith(2);
    const page = await world.visit(pathOf(id));
    await page.getByLabel('Select Jiří Novák', { exact: true }).check();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Select Jiří Novák', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Message attendees' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of 2 (1 has no email)').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send to 2 people' }).click();
    await dialog.getByText('Enter a subject').waitFor();
    await dialog.getByText('Enter a message').waitFor();
    await dialog.getByLabel('Subject').fill('What to bring');
    await dialog.getByLabel('Message').fill('Boots, please.');
    await page.setViewportSize({ width: 1280, height: 500 });
    page.expectFaults(/500/);
    await page.route(/registrations\/messages$/, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    await dialog.getByRole('button', { name: 'Send to 2 people' }).click();
    // In the dialog and not below what it shows, since nothing outside of it can be reached.
    const end = await dialog.getByRole('alert').evaluate((alert) => alert.getBoundingClientRect().bottom);
    expect(end).toBeLessThanOrEqual((await dialog.locator('footer').boundingBox())?.y ?? 0);
    await dialog.getByRole('button', { name: 'Send to 2 people' }).click();
    await page.getByText('Sending to 2 people').waitFor();
    const facts = world.database.collection('facts').find({ event_id: id, type: 'message.requested' });
    expect(await facts.toArray()).toMatchObject([
      { data: { subject: 'What to bring', channels: ['email', 'in_app'] } },
    ]);
  });

  it('previews another capacity, and sets it on Enter', async () => {
    const page = await open(await eventWith(5));
    await page.getByRole('button', { name: 'Waitlist (3)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 of 2 places taken. 3 people are on the waitlist.', { exact: false }).waitFor();
    await dialog.getByLabel('New capacity').fill('4');
    await dialog.getByText('2 people get a place, 1 stays on the waitlist.').waitFor();
    expect(await dialog.getByText('gets a place', { exact: true }).count()).toBe(2);
    await dialog.getByLabel('New capacity').fill('1');
    await dialog.getByText('More places are already taken.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Set capacity to 1' }).isDisabled()).toBe(true);
    await dialog.getByLabel('New capacity').fill('4');
    await expect.poll(() => dialog.getByRole('button', { name: 'Set capacity to 4' }).isEnabled()).toBe(true);
    await dialog.getByLabel('New capacity').press('Enter');
    await page.getByText('Capacity is now 4').waitFor();
    await page.getByText('of 4 places taken', { exact: true }).waitFor();
  });

  it('previews another capacity without a button to set it for those who may not edit the event', async () => {
    const as = { ...STAFF, permissions: ['events.view', 'events.registrations.manage'] };
    const page = await world.visit(pathOf(await eventWith(3)), { as });
    await page.getByRole('button', { name: 'Waitlist (1)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New capacity').fill('4');
    await dialog.getByText('1 person gets a place', { exact: false }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Set capacity' }).count()).toBe(0);
  });
});
