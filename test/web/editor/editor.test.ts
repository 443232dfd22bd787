import { expect, it } from 'vitest';
import { latch } from '../../support/latch.ts';
import { contactOf, draft, E } from '../../support/world.ts';
import { axeFaults, describeWeb, newName, provideSite, type Visit } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('the event form', () => {
  const world = provideSite(
    'Europe/Prague',
    [1, 2, 3].map((n) => contactOf(n, { email: n === 3 ? null : `person-${n}@people.example` })),
  );

  const open = provideSharedPage(world);
  const saved = (page: Visit) => page.getByText('Draft saved', { exact: true }).waitFor();
  const step = (page: Visit, name: string) => page.getByRole('link', { name: new RegExp(name) }).click();
  const stored = async (page: Visit) => {
    const id = new URL(page.url()).searchParams.get('draft') ?? new URL(page.url()).pathname.split('/')[2];
    return (await world.call('GET', `${E}/${id}`)).body;
  };

  it('begins with the API’s defaults, stores nothing before there is a title, and asks for one to publish', async () => {
    const page = await open('/events/new');
    expect(await page.getByRole('radio', { name: 'Meeting', exact: true }).isChecked()).toBe(true);
    await page.getByText('Who can see it: Whole school').waitFor();
    expect(await page.getByLabel('Featured').isChecked()).toBe(false);
    await step(page, 'Schedule');
    expect(await page.getByLabel('Start time').inputValue()).toBe('09:00');
    expect(await page.getByLabel('End time').inputValue()).toBe('10:00');
    expect(await page.getByLabel('All day').isChecked()).toBe(false);
    expect(await page.getByLabel('Repeats').inputValue()).toBe('none');
    await step(page, 'Registration');
    expect(await page.getByRole('radio', { name: /No registration/ }).isChecked()).toBe(true);
    await step(page, 'More');
    expect(await page.getByLabel('Send notifications').isChecked()).toBe(true);
    expect(new URL(page.url()).searchParams.get('draft')).toBe(null);
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('link', { name: 'Enter a title' }).waitFor();
  });

  it('suggests titles and times by type, saves a draft while the user types, and restores it after a reload', async () => {
    const page = await open('/events/new');
    await page.getByRole('radio', { name: 'Sports' }).check();
    await page.getByRole('button', { name: 'Swimming gala' }).click();
    await saved(page);
    await page.waitForFunction(() => new URLSearchParams(location.search).has('draft'));
    const { open: release, opened: held } = latch();
    await page.route(/scope=this/, (route) => held.then(() => route.continue()), { times: 1 });
    const states = await page.evaluateHandle(() => {
      const seen: (string | null | undefined)[] = [];
      const look = () => {
        const now = document.querySelector('h1 ~ [role=status]')?.textContent;
        if (now !== seen.at(-1)) seen.push(now);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      return seen;
    });
    const isSent = page.waitForRequest(/scope=this/);
    await page.getByLabel('Description').fill('Come');
    await isSent;
    // Typed while the first words are being saved: the draft is saved once both are.
    await page.getByLabel('Description').fill('Come and see.');
    release();
    await expect
      .poll(() => stored(page))
      .toMatchObject({ description: 'Come and see.', start_time: '14:00', end_time: '16:00' });
    await saved(page);
    expect(await states.jsonValue()).toEqual(['Saving', 'Draft saved']);
    await page.reload();
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Swimming gala');
    expect(await page.getByLabel('Description').inputValue()).toBe('Come and see.');
  });

  it('takes a title pasted from the cells of a table as one line', async () => {
    const page = await open('/events/new');
    await page.getByLabel('Title', { exact: true }).fill('Autumn\tconcert');
    await saved(page);
    expect(await stored(page)).toMatchObject({ title: 'Autumn concert' });
  });

  it('shows the draft when the browser goes back to a step that was left before it was saved, or from another new event', async () => {
    const page = await world.visit('/events/new');
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Chess');
    await title.press('Enter');
    await saved(page);
    await page.waitForURL(/draft=/);
    await page.goBack();
    await page.waitForURL(/new\?draft=/);
    expect(await title.inputValue()).toBe('Chess');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('new ev');
    await page.getByRole('option', { name: 'New event' }).click();
    await page.waitForURL(/new$/);
    await expect.poll(() => title.inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => title.inputValue()).toBe('Chess');
  });

  it('asks before leaving a draft whose new recurrence rule is not saved', async () => {
    const { body } = await world.call('POST', E, draft({ title: newName('Chess') }));
    const page = await world.visit(`/events/${body.id}/edit?step=schedule`);
    await page.getByLabel('Repeats').selectOption('weekly');
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    await page.getByRole('link', { name: 'Calendar' }).first().click();
    await expect.poll(() => questions).toEqual(['Leave without saving your changes?']);
    // The language that it already has changes nothing.
    for (const one of [/^English/, 'Čeština']) {
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('menuitem', { name: one }).click();
    }
    // The browser has its own words for a page that loads anew.
    await expect.poll(() => questions).toHaveLength(2);
    expect(await page.getByLabel('Repeats').inputValue()).toBe('weekly');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL(`**/events/${body.id}`);
    expect(questions).toHaveLength(2);
  });

  it('shows only the fields that the choices need, and passes axe in every step', async () => {
    const page = await open('/events/new?step=schedule');
    const count = (label: string) => page.getByLabel(label, { exact: true }).count();
    await page.getByLabel('Repeats').waitFor();
    expect([await count('Start time'), await count('Number of events'), await count('Repeat until')]).toEqual([
      1, 0, 0,
    ]);
    await page.getByLabel('All day').check();
    expect(await count('Start time')).toBe(0);
    await page.getByLabel('Repeats').selectOption('daily');
    expect([await count('Number of events'), await count('Repeat until')]).toEqual([1, 0]);
    expect(await page.getByLabel('Number of events').inputValue()).toBe('7');
    await page.getByLabel('Ends', { exact: true }).selectOption('date');
    expect([await count('Number of events'), await count('Repeat until')]).toEqual([0, 1]);
    expect(await axeFaults(page)).toEqual([]);
    await step(page, 'Location');
    for (const label of ['Building', 'Room', 'Address', 'Link to a map']) await page.getByLabel(label).waitFor();
    expect(await count('Link to the online meeting')).toBe(0);
    await page.getByLabel('Online event').check();
    for (const label of ['Building', 'Room', 'Address', 'Link to a map'])
      expect([label, await count(label)]).toEqual([label, 0]);
    await page.getByLabel('Link to the online meeting').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await step(page, 'Registration');
    const shown = async () =>
      Promise.all(
        ['Number of places', 'Registration deadline', 'Waitlist when full', 'Price', 'Currency'].map((label) =>
          page.getByLabel(label).count(),
        ),
      );
    const table: [string, number[]][] = [
      ['No registration', [0, 0, 0, 0, 0]],
      ['Optional', [1, 1, 1, 0, 0]],
      ['Required', [1, 1, 1, 0, 0]],
      ['Ticketed', [1, 1, 1, 1, 1]],
    ];
    for (const [kind, wanted] of table) {
      await page.getByRole('radio', { name: kind }).check();
      expect([kind, await shown()]).toEqual([kind, wanted]);
    }
    expect(await axeFaults(page)).toEqual([]);
    await step(page, 'More');
    expect(await count('When')).toBe(0);
    await page.getByRole('button', { name: 'Add a reminder' }).click();
    expect([await count('When'), await count('Channel')]).toEqual([1, 1]);
    const offsets = await page.getByLabel('When').locator('option').allTextContents();
    expect(offsets).toEqual(
      ['15 minutes', '30 minutes', '1 hour', '2 hours', '1 day', '2 days', '1 week'].map((text) => `${text} before`),
    );
    await page.getByLabel('Send notifications').uncheck();
    await page.getByText('Reminders are not sent while notifications are off.').waitFor();
    await page.getByRole('button', { name: 'Add a link' }).click();
    expect([await count('Name'), await count('Link')]).toEqual([1, 1]);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('keeps the keyboard on the time of a reminder while it is chosen', async () => {
    const page = await world.visit('/events/new?step=advanced');
    await page.getByRole('button', { name: 'Add a reminder' }).click();
    await page.getByLabel('When').focus();
    const chosen = () => page.getByLabel('When').evaluate((select: HTMLSelectElement) => select.value);
    for (const minutes of ['120', '60']) {
      await page.keyboard.press('ArrowUp');
      await expect.poll(chosen).toBe(minutes);
    }
  });

  it('goes on after the address of a picture that can’t be loaded was corrected', async () => {
    const page = await world.visit('/events/new?step=advanced');
    page.expectFaults(/ERR_/);
    const link = page.getByLabel('Or a link to a banner image');
    const picture = page.getByRole('img', { name: 'Banner image' });
    for (const address of ['https://127.0.0.1:1/banner.png', 'https://127.0.0.1:1/other.png']) {
      const failed = page.waitForEvent('requestfailed', (request) => request.url() === address);
      await link.fill(address);
      await failed;
      await expect.poll(() => page.locator(`img[src="${address}"]:not([hidden])`).count()).toBe(0);
    }
    await link.fill(`${world.apiUrl}/banners/stage.svg`);
    await picture.waitFor();
  });

  it('summarises the recurrence rule with its first dates, and keeps its fields on the screen at a zoom of 200 and 400 % and on a tablet', async () => {
    const page = await world.visit('/events/new?step=schedule&date=2027-03-02', {
      viewport: { width: 640, height: 450 },
    });
    const edgeOf = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().right);
    for (const width of [640, 320, 768]) {
      await page.setViewportSize({ width, height: 450 });
      expect(await edgeOf('[name=end_time]')).toBeLessThan(await edgeOf('form'));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.getByLabel('Repeats').selectOption('weekly');
    await page.getByText(/^Every week on Tuesday, 12 times, the last on Tuesday,? 18 May 2027$/).waitFor();
    await page.getByText('Tue 9 Mar', { exact: false }).waitFor();
    await page.getByLabel('Number of events').fill('2');
    await page.getByText(/^Every week on Tuesday, 2 times, the last on Tuesday,? 9 March 2027$/).waitFor();
    page.expectFaults(/400|422/);
    const refused = page.waitForResponse(/occurrences\?.*=2\.5/);
    await page.getByLabel('Number of events').fill('2.5');
    await page.getByText('Enter a whole number.').waitFor();
    await refused;
    expect(await page.getByText('This gives no dates').count()).toBe(0);
  });

  it('shows an error on its field and step, and publishes after a preview of recipients', async () => {
    const page = await open('/events/new');
    page.expectFaults(/422/);
    await page.getByLabel('Title', { exact: true }).fill('Ski trip');
    await saved(page);
    await step(page, 'Registration');
    await page.getByRole('radio', { name: 'Required' }).check();
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('link', { name: 'Enter the number of places' }).waitFor();
    expect(await page.getByLabel('Number of places').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Number of places').fill('20');
    await page.getByLabel('Registration deadline').fill('2026-01-10T12:00');
    await expect
      .poll(() => stored(page))
      .toMatchObject({ max_attendees: 20, registration_deadline: '2026-01-10T11:00:00.000Z' });
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 people will be notified.').waitFor();
    await dialog.getByText('2 of 3 (1 has no email)').waitFor();
    const { status } = await stored(page);
    expect(status).toBe('draft');
    const id = new URL(page.url()).searchParams.get('draft');
    await dialog.getByRole('button', { name: 'Publish and notify 3 people' }).click();
    await page.waitForURL(`**/events/${id}`);
    expect((await stored(page)).status).toBe('published');
  });

  it('confirms a change to a published event, and detects another user’s change', async () => {
    const id = await createEvent(world, draft({ title: 'Concert' }));
    const page = await open(`/events/${id}/edit`);
    page.expectFaults(/412/);
    await page.getByLabel('Title', { exact: true }).fill('Great concert');
    await world.call('PATCH', `${E}/${id}`, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Someone else has changed this event.').waitFor();
    // The button that was pressed lies far below.
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(50);
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('No one will be notified').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(`**/events/${id}`);
    expect(await stored(page)).toMatchObject({ title: 'Great concert', description: 'Theirs' });
  });

  it('says where one types that someone else has changed a draft', async () => {
    const id = await createEvent(world, draft({ title: 'Concert' }), []);
    const page = await open(`/events/${id}/edit`);
    page.expectFaults(/412/);
    await page.getByLabel('Description', { exact: true }).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2000);
    await world.call('PATCH', `${E}/${id}`, { title: 'Theirs' });
    await page.getByLabel('Description', { exact: true }).fill('Mine');
    const keep = page.getByRole('button', { name: 'Keep my changes' });
    await keep.waitFor();
    const scrolled = await page.evaluate(() => window.scrollY);
    expect(scrolled).toBeGreaterThan(200);
    const { top, isOnTop } = await keep.evaluate((button) => {
      const { x, y } = button.getBoundingClientRect();
      return { top: y, isOnTop: document.elementFromPoint(x + 9, y + 9)?.closest('button') === button };
    });
    expect([top > 0, isOnTop]).toEqual([true, true]);
    // It covers no step of the form.
    const steps = await page.getByRole('navigation', { name: 'Steps' }).boundingBox();
    expect((steps?.y ?? 0) + (steps?.height ?? 0)).toBeLessThan(top);
    await keep.click();
    await expect.poll(() => stored(page)).toMatchObject({ title: 'Theirs', description: 'Mine' });
  });

  it('offers no publishing to staff who may only write drafts, but to save the draft at the end', async () => {
    const as = { user_id: 'teacher', roles: ['staff' as const], permissions: ['events.view', 'events.create'] };
    const page = await world.visit('/events/new', { as });
    const save = page.getByRole('button', { name: 'Save draft' });
    await save.waitFor();
    expect(await page.getByRole('button', { name: 'Publish…' }).count()).toBe(0);
    const colorOf = (button: Element) => getComputedStyle(button).backgroundColor;
    const main = await page.getByRole('button', { name: 'Next' }).evaluate(colorOf);
    await step(page, 'More');
    await expect.poll(() => save.evaluate(colorOf)).toBe(main);
  });

  it('leads to the event, with all that was typed in place, if someone else has cancelled it meanwhile', async () => {
    const id = await createEvent(world, draft({ title: 'Concert' }));
    const page = await open(`/events/${id}/edit`);
    page.expectFaults(/412/);
    await page.getByLabel('Title', { exact: true }).fill('Great concert');
    expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Snow' })).status).toBe(200);
    await page.getByRole('button', { name: 'Save changes' }).click();
    const said = page.getByRole('alert').filter({ hasText: 'Someone else has changed this event.' });
    await said.getByText('You can’t edit this event any more. First copy what you still need').waitFor();
    expect(await said.getByRole('button').count()).toBe(0);
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Great concert');
    page.once('dialog', (question) => question.accept());
    await said.getByRole('link', { name: 'Open the event' }).click();
    await page.getByText('This event is cancelled.').waitFor();
  });

  it('says at the times of a meeting that families have chosen some, and offers no second try', async () => {
    const hosts = [{ user_id: 'jana', name: 'Jana Malá' }];
    const id = await createEvent(
      world,
      draft({ event_type: 'parent_teacher', registration_type: 'optional', slots: { length_minutes: 10, hosts } }),
    );
    const person = { user_id: 'parent-1', kind: 'attendee', slots: [{ host_user_id: 'jana', minute: 10 }] };
    expect((await world.call('POST', `${E}/${id}/registrations`, person)).status).toBe(201);
    const page = await open(`/events/${id}/edit?step=registration`);
    page.expectFaults(/409/);
    await page.getByLabel('Length of a meeting').fill('15');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('link', { name: 'You can only add times or teachers.' }).waitFor();
    expect(await page.getByText('You can only add times or teachers.').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByLabel('Length of a meeting').fill('10');
    await page.getByRole('link', { name: 'You can only add times or teachers.' }).waitFor({ state: 'detached' });
  });

  it('closes the question before publishing when the browser goes back', async () => {
    const id = await createEvent(world, draft({ title: 'Gala' }), []);
    const page = await open(`/events/${id}/edit`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Schedule' }).waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const question = page.getByRole('dialog', { name: 'Publish' });
    await question.waitFor();
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Basics' }).waitFor();
  });

  it('asks again before it repeats a failed save of a published event', async () => {
    const id = await createEvent(world, draft({ title: 'Recital' }));
    const page = await open(`/events/${id}/edit`);
    page.expectFaults(/500/);
    await page.getByLabel('Title', { exact: true }).fill('Great recital');
    await page.route(`**/${id}?*`, (route) => route.fulfill({ status: 500 }), { times: 1 });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No one will be notified').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect((await world.call('GET', `${E}/${id}`)).body.title).toBe('Recital');
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(`**/events/${id}`);
    expect((await stored(page)).title).toBe('Great recital');
  });
});
