import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { latch } from '../../support/latch.ts';
import { axeFaults, DESKTOP, describeWeb, newParent, provideSite } from '../support/browser.ts';

describeWeb('the settings page', () => {
  const world = provideSite();

  const storedPreferences = async ({ user_id }: { user_id: string }) => {
    const row = await world.database
      .collection<Record<string, unknown> & { _id: string }>('preferences')
      .findOne({ user_id });
    return row && { locale: row.locale, opted_out: row.opted_out, quiet_hours: row.quiet_hours };
  };
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

  it('saves every choice immediately, never shows the old one for a moment, and shows it after a reload', async () => {
    const parent = newParent();
    const page = await world.visit('/settings', { as: parent });
    // One choice for reminders of events, and for those to confirm.
    const reminders = ['reminder.due:in_app', 'acknowledgement.due:in_app'];
    const isCheckedAfterClick = await box(page, 'New event: Email').evaluate(async (input: HTMLInputElement) => {
      input.click();
      // Promises only: the browser has drawn nothing and begun no other task.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      return input.checked;
    });
    expect(isCheckedAfterClick).toBe(false);
    await box(page, 'Reminder: Inbox').press('Space');
    await page.getByRole('radio', { name: 'Čeština' }).first().check();
    await expect
      .poll(() => storedPreferences(parent))
      .toMatchObject({ locale: 'cs', opted_out: ['event.published:email', ...reminders] });
    await page.reload();
    await box(page, 'New event: Email').waitFor();
    expect(await box(page, 'New event: Email').isChecked()).toBe(false);
    expect(await box(page, 'New event: Push').isChecked()).toBe(true);
    await box(page, 'New event: Email').check();
    await expect.poll(() => storedPreferences(parent)).toMatchObject({ locale: 'cs', opted_out: reminders });
    // One choice for all news about a registration.
    await box(page, 'Your registration: Email').uncheck();
    const states = ['pending', 'waitlisted', 'confirmed', 'declined', 'refused'];
    const ofStates = states.map((state) => `registration.${state}:email`);
    const optedOut = async () => (await storedPreferences(parent))?.opted_out as string[];
    await expect.poll(async () => (await optedOut()).sort()).toEqual([...reminders, ...ofStates].sort());
    expect(await box(page, 'Your registration: Email').isChecked()).toBe(false);
    await box(page, 'Your registration: Email').check();
    await expect.poll(optedOut).toEqual(reminders);
  });

  it('shows a choice immediately while an earlier one is being saved, and reverts the one that is refused', async () => {
    const parent = newParent();
    const page = await world.visit('/settings', { as: parent });
    page.expectFaults(/409/);
    const { open: refuse, opened: refused } = latch();
    let saves = 0;
    await page.route('**/api/v1/me/preferences', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      saves += 1;
      if (saves > 1) return route.continue();
      await refused;
      return route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"code":"conflict"}' });
    });
    await box(page, 'New event: Email').uncheck();
    await page.getByRole('radio', { name: 'My own hours' }).check();
    await expect.poll(() => saves).toBe(1);
    refuse();
    await expect
      .poll(() => storedPreferences(parent))
      .toMatchObject({ opted_out: [], quiet_hours: { from: '21:00', to: '07:00' } });
    expect(await box(page, 'New event: Email').isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: 'My own hours' }).isChecked()).toBe(true);
  });

  it('saves quiet hours: own, the school’s or none, and creates, replaces and removes a working calendar link', async () => {
    const parent = newParent();
    const page = await world.visit('/settings', { as: parent });
    const quiet = async () => (await storedPreferences(parent))?.quiet_hours;
    await page.getByText('Your school has no quiet hours.').waitFor();
    await page.getByRole('radio', { name: 'My own hours' }).check();
    await expect.poll(quiet).toEqual({ from: '21:00', to: '07:00' });
    await page.getByLabel('From', { exact: true }).fill('20:30');
    await page.getByLabel('Until', { exact: true }).focus();
    await expect.poll(quiet).toEqual({ from: '20:30', to: '07:00' });
    await page.getByRole('radio', { name: 'Off', exact: true }).check();
    await expect.poll(quiet).toBe('off');
    await page.getByRole('radio', { name: 'School default' }).first().check();
    await expect.poll(quiet).toBeNull();

    await page.getByRole('button', { name: 'Create calendar link' }).click();
    const field = page.getByLabel('Copy your link now. We show it only once.');
    await field.and(page.locator(':focus')).waitFor();
    const first = await field.inputValue();
    expect((await fetch(first)).headers.get('content-type')).toContain('text/calendar');
    await page.getByRole('button', { name: 'Create a new link' }).click();
    page.expectFaults(/500/);
    await page.route('**/me/feed', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new link' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.locator('[role=alert]').count()).toBe(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new link' }).click();
    await expect.poll(() => field.inputValue()).not.toBe(first);
    expect((await fetch(first)).status).toBe(404);
    const second = await field.inputValue();
    await page.getByRole('button', { name: 'Remove link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
    await page.getByRole('button', { name: 'Create calendar link' }).waitFor();
    expect((await fetch(second)).status).toBe(404);
  });

  it('shows fixed choices with the reason, passes axe, and stores theme, language and shortcuts on the device', async () => {
    const page = await world.visit('/settings', { as: newParent() });
    const row = page.getByRole('row', { name: /^Cancellations/ });
    await row.waitFor();
    expect(await row.getByRole('checkbox').count()).toBe(2);
    expect(await row.getByText('Always: too important to turn off').count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('switch', { name: 'Keyboard shortcuts in the calendar' }).uncheck();
    expect(await page.evaluate(() => localStorage.getItem('shortcuts'))).toBe('off');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    // In a theme of high contrast, which has no backgrounds of ours, the chosen one is marked too.
    await page.emulateMedia({ forcedColors: 'active' });
    const [dark, light] = await Promise.all(
      ['Dark theme', 'Light theme'].map((name) =>
        page.getByText(name, { exact: true }).evaluate((label) => getComputedStyle(label).backgroundColor),
      ),
    );
    expect(dark).not.toBe(light);
    await page.emulateMedia({ forcedColors: null });
    await page.getByRole('group', { name: 'Language on this device' }).getByRole('radio', { name: 'Čeština' }).click();
    await page.getByRole('heading', { name: 'Nastavení' }).waitFor();
  });

  it('keeps a notice while the pointer is on it, and for a second more', async () => {
    const page = await world.visit('/settings', { as: newParent(), clock: true });
    await page.getByRole('button', { name: 'Create calendar link' }).click();
    await page.getByRole('button', { name: 'Remove link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click();
    const notice = page.getByRole('region', { name: 'Notices' }).getByRole('status');
    await notice.hover();
    await page.clock.runFor(20_000);
    expect(await notice.count()).toBe(1);
    await page.mouse.move(0, 0);
    await page.clock.runFor(1_000);
    await notice.waitFor({ state: 'detached' });
  });

  it('keeps the names of the channels apart in Czech on the narrowest phone, and in one line on a desktop', async () => {
    const viewport = { width: 320, height: 640 };
    const page = await world.visit('/settings', { as: newParent(), viewport, language: 'cs' });
    await page.getByRole('columnheader', { name: 'Upozornění' }).waitFor();
    const wide = await page
      .locator('thead th span')
      .evaluateAll((heads) => heads.map((head) => head.scrollWidth - head.clientWidth).filter((more) => more > 0));
    expect(wide).toEqual([]);
    await page.setViewportSize(DESKTOP);
    const heights = await page.locator('thead th span').evaluateAll((heads) => heads.map((head) => head.clientHeight));
    expect(new Set(heights).size).toBe(1);
  });
});
