import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { contactOf, draft, E } from '../../support/world.ts';
import { axeFaults, describeWeb, go, newName, provideSite, type Visit } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';

const DAY = '2031-10-07';

describeWeb('a new event', () => {
  const world = provideSite('Europe/Prague', [
    contactOf(1, { user_id: 'eva', name: 'Eva Nováková', class_ids: ['class-5a'] }),
    contactOf(2, { user_id: 'hana', name: 'Hana Malá', roles: ['staff'] }),
  ]);

  const open = provideSharedPage(world);
  const stored = async (page: Visit) => {
    const { pathname, searchParams } = new URL(page.url());
    return (await world.call('GET', `${E}/${searchParams.get('draft') ?? pathname.split('/')[2]}`)).body;
  };

  it('for a class, with registration and a reminder, is published with at most 9 clicks and 40 keys', async () => {
    const page = await open(`/events?view=week&date=${DAY}`);
    let [clicks, keys] = [0, 0];
    const click = async (on: Locator, options = {}) => {
      clicks += 1;
      await on.click(options);
    };
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    const slot = page.locator(`ul[data-day="${DAY}"]`);
    await slot.waitFor();
    await click(slot, { position: { x: 60, y: 16 * 48 + 6 } });
    const title = page.getByLabel('Title', { exact: true });
    await expect.poll(() => title.evaluate((one) => one === document.activeElement)).toBe(true);
    for (const key of 'Class meeting 5.A') await press(key === ' ' ? 'Space' : key);
    // A click opens the list, another one chooses from it.
    clicks += 2;
    await page.getByLabel('Class', { exact: true }).selectOption({ label: '5A (1 person)' });
    await click(page.getByRole('link', { name: /Registration/ }));
    await click(page.getByRole('radio', { name: /^Optional/ }));
    await click(page.getByRole('link', { name: /More details/ }));
    await click(page.getByRole('button', { name: 'Add a reminder' }));
    await press('Control+Enter');
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    await press('Control+Enter');
    await page.waitForURL((url) => /^\/events\/(?!new)[^/]+$/.test(url.pathname));
    expect(await stored(page)).toMatchObject({
      title: 'Class meeting 5.A',
      status: 'published',
      start_date: DAY,
      start_time: '16:00',
      end_time: '17:00',
      class_id: 'class-5a',
      visibility: 'restricted',
      restricted_to: { class_ids: ['class-5a'] },
      registration_type: 'optional',
      reminders: [{ offset: 1440 }],
    });
    expect(clicks).toBeLessThanOrEqual(9);
    expect(keys).toBeLessThanOrEqual(40);
  });

  it('says before publishing when an event takes place whose start a clock change skips, and the calendar shows that time', async () => {
    const day = { start_date: '2031-03-30', end_date: '2031-03-30', start_time: '02:30', end_time: '03:30' };
    const title = newName('Walk');
    const id = await createEvent(world, draft({ ...day, title, timezone: 'Europe/Prague' }), []);
    const page = await open(`/events/${id}/edit`);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('so the event will be from 03:30 to 04:30.').waitFor();
    await question.getByRole('button', { name: /^Publish/ }).click();
    await page.waitForURL(`**/events/${id}`);
    const times = ['03:30–04:30', '03:30–04:30 (CEST)'];
    const pages = ['/events?view=agenda&date=2031-03-30', `/events/${id}`];
    for (const [at, path] of pages.entries()) {
      await go(page, path);
      await page.getByText(times[at] ?? '', { exact: true }).waitFor();
    }
    await go(page, `/events?q=${title}`);
    await page.getByText('Sunday, 30 March 2031, 03:30–04:30').waitFor();
  });

  it('takes a zone, a limit of optional registration, another form, an organizer and a picture', async () => {
    const page = await open('/events/new');
    const step = (name: string) => page.getByRole('link', { name: new RegExp(name) }).click();
    await page.getByLabel('Title', { exact: true }).fill(newName('Talk'));
    await page.waitForFunction(() => new URLSearchParams(location.search).has('draft'));
    await step('Schedule');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByLabel('Start date').fill(DAY);
    await step('Location');
    await page.getByLabel('Seats').fill('60');
    await step('Registration');
    await page.getByRole('radio', { name: /^Optional/ }).check();
    await page.getByLabel('Number of places').fill('25');
    await page.getByLabel('Registration deadline').fill('2031-10-06T12:00');
    await page.getByText('Time zone: America/New York').waitFor();
    await page.getByLabel('Link to another registration form').fill('https://form.example/1');
    await step('More details');
    // The form shows it.
    await page.route('https://school.example/1.png', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    await page.getByLabel('Or a link to a picture').fill('https://school.example/1.png');
    const person = page.getByRole('combobox', { name: 'Person in charge' });
    await person.fill('hana');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /Hana Malá/ })
      .click();
    await page.getByRole('button', { name: 'Remove: Hana Malá' }).waitFor();
    await page.getByLabel('Name shown to people').fill('Debating club');
    await page.getByLabel('Contact email').fill('club@school.example');
    await page.getByLabel('Shown as').selectOption('Other organization');
    await page.getByLabel('Show in calendars').uncheck();
    await expect
      .poll(() => stored(page))
      .toMatchObject({
        timezone: 'America/New_York',
        location: { capacity: 60 },
        max_attendees: 25,
        // Noon in New York.
        registration_deadline: '2031-10-06T16:00:00.000Z',
        registration_url: 'https://form.example/1',
        image_url: 'https://school.example/1.png',
        organizer_id: 'hana',
        organizer: { type: 'organization', name: 'Debating club', email: 'club@school.example' },
        is_active: false,
      });
  });

  it('can be published at a set time in the future', async () => {
    const page = await open(`/events/new?date=${DAY}`);
    await page.getByLabel('Title', { exact: true }).fill(newName('Later'));
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Later' }).check();
    await dialog.getByRole('button', { name: 'Schedule', disabled: true }).waitFor();
    await dialog.getByLabel('Date and time').fill('2021-09-30T08:00');
    await dialog.getByText('Enter a date in the future.').waitFor();
    await dialog.getByRole('button', { name: 'Schedule', disabled: true }).waitFor();
    await dialog.getByLabel('Date and time').fill('2031-09-30T08:00');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Schedule', disabled: false }).click();
    await page.waitForURL((url) => /^\/events\/(?!new)[^/]+$/.test(url.pathname));
    expect(await stored(page)).toMatchObject({ status: 'scheduled', publish_at: '2031-09-30T06:00:00.000Z' });
  });

  it('shows what else needs its room at its time, and takes a free time instead', async () => {
    const gym = { location_name: 'School', location: { room: 'Gym' } };
    const at = (day: string) => ({ start_date: day, end_date: day, start_time: '09:00', end_time: '10:00' });
    const taken = { title: 'Judo', event_type: 'sports', ...at('2031-10-08'), ...gym };
    await createEvent(world, { ...taken, visibility: 'public' });
    const yoga = await createEvent(world, { ...taken, title: 'Yoga' }, []);
    const page = await open(`/events/${yoga}/edit?step=schedule`);
    const warning = page.getByRole('status').filter({ hasText: 'Something else is planned at this time' });
    await warning.getByText(/Judo, 8 Oct, 09:00.*same place/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await warning.getByRole('button', { name: 'Wed 8 Oct, 10:00' }).click();
    await warning.waitFor({ state: 'detached' });
    expect(await stored(page)).toMatchObject({ start_time: '10:00', end_time: '11:00' });
    await world.call('PATCH', `${E}/${yoga}`, at('2031-10-08'));
    await go(page, `/events/${yoga}`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByText(/Judo/).waitFor();
  });
});
