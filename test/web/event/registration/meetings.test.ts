import { expect, it } from 'vitest';
import { latch } from '../../../support/latch.ts';
import { contactOf, E } from '../../../support/world.ts';
import { axeFaults, describeWeb, go, PHONE, provideSite } from '../../support/browser.ts';
import { createEvent } from '../../support/site-events.ts';
import { CONCERT } from '../concert.ts';

const PARENT = { user_id: 'mother', roles: ['parent' as const], children: ['tom', 'ema'] };

describeWeb('meetings of a parent-teacher evening', () => {
  const world = provideSite('UTC', [
    contactOf(1, { user_id: 'mother', name: 'Eva Nováková', roles: ['parent'] }),
    contactOf(2, { user_id: 'tom', name: 'Tom Novák', roles: ['student'], class_ids: ['class-5a'] }),
    contactOf(3, { user_id: 'ema', name: 'Ema Nováková', roles: ['student'] }),
    contactOf(4, { user_id: 'staff-1', name: 'Hana Dvořáková', roles: ['staff'] }),
    contactOf(5, { user_id: 'petr', name: 'Petr Svoboda', roles: ['staff'] }),
  ]);

  const evening = {
    ...CONCERT,
    title: 'Parent-teacher evening',
    event_type: 'parent_teacher',
    start_time: '16:00',
    end_time: '17:00',
    registration_type: 'optional',
    slots: {
      length_minutes: 10,
      hosts: [
        { user_id: 'jana', name: 'Jana Malá' },
        { user_id: 'petr', name: 'Petr Svoboda' },
      ],
    },
  };

  it('lets a parent on a phone choose and change times, and staff print the list of each teacher', async () => {
    const id = await createEvent(world, evening);
    const page = await world.visit(`/events/${id}`, { as: PARENT, viewport: PHONE });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('checkbox', { name: 'Tom Novák' }).check();
    const form = page.getByRole('group', { name: 'Choose a time' });
    await page.locator('form').getByRole('button', { name: 'Register' }).click();
    await form.getByText('Choose at least one time.').waitFor();
    await form.getByLabel('Jana Malá').selectOption('16:10');
    // At the same time the parent cannot meet another teacher.
    const offered = await form.getByLabel('Petr Svoboda').locator('option').allTextContents();
    expect(offered).toEqual(['No meeting', '16:00', '16:20', '16:30', '16:40', '16:50']);
    expect(await axeFaults(page)).toEqual([]);
    // A large school offers thousands of times: to format them anew with every key would stop the form.
    const formatted = await page.evaluateHandle(() => {
      const { formatToParts } = Intl.DateTimeFormat.prototype;
      const count = { times: 0 };
      Intl.DateTimeFormat.prototype.formatToParts = function (date) {
        count.times += 1;
        return formatToParts.call(this, date);
      };
      return count;
    });
    await page.getByLabel('Note for the organizer').fill('We come by bus.');
    expect((await formatted.jsonValue()).times).toBeLessThan(10);
    await form.getByLabel('Petr Svoboda').selectOption('16:20');
    await page.locator('form').getByRole('button', { name: 'Register' }).click();
    await page.getByText('16:10–16:20, Jana Malá').waitFor();
    await page.getByText('16:20–16:30, Petr Svoboda').waitFor();

    await page.getByRole('button', { name: 'Change times' }).click();
    await form.getByLabel('Petr Svoboda').selectOption('No meeting');
    await form.getByLabel('Jana Malá').selectOption('16:50');
    await page.getByRole('button', { name: 'Save times' }).click();
    await page.getByText('16:50–17:00, Jana Malá').waitFor();
    expect(await page.getByText('Petr Svoboda', { exact: false }).count()).toBe(0);
    const { body } = await world.call('GET', `${E}/${id}/registrations`);
    expect(body.data).toMatchObject([{ slots: [{ host_user_id: 'jana', minute: 50 }] }]);
    await page.leave();

    const staff = await world.visit(`/events/${id}`);
    await staff.getByRole('link', { name: 'Times by teacher' }).click();
    const row = staff.getByRole('region', { name: 'Jana Malá' }).getByRole('row').filter({ hasText: '16:50–17:00' });
    await row.getByText('Tom Novák').waitFor();
    await row.getByText('Eva Nováková').waitFor();
    expect(await axeFaults(staff)).toEqual([]);
    await go(staff, `/events/${id}/registrations`);
    await staff.getByText('16:50–17:00, Jana Malá').waitFor();
  });

  it('says on the page of the times that an event has none', async () => {
    const page = await world.visit(`/events/${await createEvent(world, CONCERT)}/meetings`);
    await page.getByText('Families don’t choose times for this event.').waitFor();
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
  });

  it('tells times apart that come twice in the night in which clocks go back', async () => {
    const [start_date, timezone] = ['2031-10-26', 'Europe/Prague'];
    const night = { start_date, end_date: start_date, start_time: '01:30', end_time: '03:30', timezone };
    const slots = { length_minutes: 60, hosts: [{ user_id: 'jana', name: 'Jana Malá' }] };
    const id = await createEvent(world, { ...evening, ...night, slots });
    const page = await world.visit(`/events/${id}/meetings`);
    const times = page.getByRole('region', { name: 'Jana Malá' }).getByRole('row').locator('td:first-child');
    await times.first().waitFor();
    expect(await times.allTextContents()).toEqual(['01:30–02:30 CEST', '02:30 CEST–02:30 CET', '02:30 CET–03:30']);
  });

  it('takes back a time that another family has just taken, and says so', async () => {
    const id = await createEvent(world, evening);
    const page = await world.visit(`/events/${id}`, { as: PARENT, viewport: PHONE, live: true });
    page.expectFaults(/409/);
    const form = page.getByRole('group', { name: 'Choose a time' });
    const jana = form.getByLabel('Jana Malá');
    const said = page.getByText('Another family has just taken this time.', { exact: false }).first();
    const take = async (user_id: string, minute: number) => {
      const taken = { kind: 'attendee', user_id, slots: [{ host_user_id: 'jana', minute }] };
      expect((await world.call('POST', `${E}/${id}/registrations`, taken)).status).toBe(201);
    };
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('checkbox', { name: 'Tom Novák' }).check();
    await jana.selectOption('16:10');
    await take('anna', 10);
    await said.waitFor();
    expect(await jana.locator('option').allTextContents()).not.toContain('16:10');
    const register = page.locator('form').getByRole('button', { name: 'Register' });
    await register.click();
    await expect.poll(() => jana.evaluate((one) => one === document.activeElement)).toBe(true);
    await jana.selectOption('16:20');
    await register.click();
    await page.getByText('16:20–16:30, Jana Malá').waitFor();

    // This time the page learns of it by the refusal.
    const { open: release, opened: held } = latch();
    await page.getByRole('button', { name: 'Change times' }).click();
    await jana.selectOption('16:30');
    await form.getByLabel('Petr Svoboda').selectOption('16:50');
    await page.route(`**/events/${id}/slots`, (route) => held.then(() => route.continue()));
    await take('bára', 30);
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.request().method() === 'PUT'),
      page.getByRole('button', { name: 'Save times' }).click(),
    ]);
    expect(answer.status()).toBe(409);
    release();
    await said.waitFor();
    await expect.poll(() => jana.locator('option').allTextContents()).not.toContain('16:30');
    await page.getByRole('button', { name: 'Save times' }).click();
    await page.getByText('16:50–17:00, Petr Svoboda').waitFor();
    expect(await page.getByText('Jana Malá', { exact: false }).count()).toBe(0);
  });

  it('is set up in the form, also while the directory is slow', async () => {
    const { body } = await world.call('POST', E, { ...evening, slots: null });
    const page = await world.visit(`/events/${body.id}/edit?step=registration`);
    await page.getByRole('switch', { name: 'Families choose a time' }).click();
    await page.getByLabel('Length of a meeting (minutes)').fill('15');
    await page.getByText('Hana Dvořáková').first().waitFor();
    const stored = async () => (await world.call('GET', `${E}/${body.id}`)).body.slots;
    const hana = { user_id: 'staff-1', name: 'Hana Dvořáková' };
    await expect.poll(stored).toEqual({ length_minutes: 15, break_minutes: 0, hosts: [hana] });

    const { open: release, opened: held } = latch();
    await page.route('**/people?user_id=*', (route) => held.then(() => route.continue()));
    const names = page.waitForResponse('**/people?user_id=*');
    await page.getByRole('combobox', { name: 'Teachers' }).fill('Petr');
    await page.getByRole('option', { name: /^Petr Svoboda/ }).click();
    await page.getByLabel('Length of a meeting (minutes)').fill('20');
    release();
    await names;
    const hosts = [hana, { user_id: 'petr', name: 'Petr Svoboda' }];
    await expect.poll(stored).toEqual({ length_minutes: 20, break_minutes: 0, hosts });
  });
});
