import { expect, it } from 'vitest';
import { draft, E } from '../../support/world.ts';
import { axeFaults, describeWeb, newName, PARENT, provideSite, type Visit } from '../support/browser.ts';
import { createEvent, type Steps } from '../support/site-events.ts';

describeWeb('the errors of the event form', () => {
  const world = provideSite('Europe/Prague');
  const focused = (page: Visit) => page.evaluate(() => document.activeElement?.getAttribute('name'));

  it('are listed on top in the reader’s language, each a link that focuses its field on any step', async () => {
    const page = await world.visit('/events/new?step=registration', { language: 'cs' });
    page.expectFaults(/422/);
    await page.getByRole('radio', { name: /Povinné/ }).check();
    await page.getByText('Časové pásmo: Europe/Prague', { exact: true }).waitFor();
    // A frame may come before React has rendered the list.
    await page.evaluate(() => {
      window.requestAnimationFrame = (run) => {
        run(0);
        return 0;
      };
    });
    await page.getByRole('button', { name: 'Zveřejnit…' }).click();
    const problems = page.getByRole('region', { name: 'Něco je potřeba opravit' });
    await problems.waitFor();
    const listIsFocused = () =>
      expect.poll(() => problems.evaluate((one) => one === document.activeElement)).toBe(true);
    await listIsFocused();
    expect(await axeFaults(page)).toEqual([]);
    await problems.getByRole('link', { name: 'Zadejte název' }).click();
    await page.waitForURL('**step=basics**');
    await expect.poll(() => focused(page)).toBe('title');
    await page.keyboard.type(newName('Výlet'));
    await page.getByText('Některá pole').waitFor();
    await page.getByRole('button', { name: 'Zveřejnit…' }).click();
    // The list has been there since the first try, and takes the focus once the draft is saved.
    await listIsFocused();
    await problems.getByRole('link', { name: 'Zadejte počet míst' }).click();
    await page.waitForURL('**step=registration**');
    await expect.poll(() => focused(page)).toBe('max_attendees');
    expect(await problems.textContent()).not.toMatch(/[a-z]_[a-z]|must|Enter/);
    await page.keyboard.type('20');
    await problems.getByRole('link', { name: 'Zadejte počet míst' }).waitFor({ state: 'detached' });
    await problems.getByRole('link', { name: 'Zadejte, do kdy se lze přihlásit' }).click();
    await expect.poll(() => focused(page)).toBe('registration_deadline');
  });

  it('are not met while the year of a deadline is typed', async () => {
    const deadline = { registration_type: 'required', max_attendees: 5, registration_deadline: '2031-01-05T11:00:00Z' };
    const day = { start_date: '2031-02-01', end_date: '2031-02-01', timezone: 'Europe/Prague' };
    const id = await createEvent(world, draft({ ...day, ...deadline }), []);
    const page = await world.visit(`/events/${id}/edit?step=registration`);
    const field = page.getByLabel('Registration deadline');
    await field.focus();
    await page.keyboard.type('01012031', { delay: 20 });
    expect(await field.inputValue()).toBe('2031-01-01T12:00');
    await page.getByText('Draft saved').waitFor();
  });

  it('are met by a number with words, which keeps the number that was saved before', async () => {
    const limit = { registration_type: 'optional', max_attendees: 30 };
    const id = await createEvent(world, draft(limit), []);
    const page = await world.visit(`/events/${id}/edit?step=registration`);
    page.expectFaults(/422/);
    const field = page.getByLabel('Number of places');
    await field.press('Control+a');
    await field.pressSequentially('20 people');
    await page.getByText('Enter a whole number.').waitFor();
    await page.getByText('Some fields need attention and are not saved').waitFor();
    expect(await field.inputValue()).toBe('20 people');
    expect((await world.call('GET', `${E}/${id}`)).body.max_attendees).toBe(30);
  });

  it('appear at the field by the API’s schema, without asking the server', async () => {
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).waitFor();
    page.expectFaults(/ERR_FAILED/);
    await page.route('**/api/v1/operations/events', (route) => route.abort());
    await page.getByLabel('Title', { exact: true }).fill('x'.repeat(201));
    await page.getByText('Use at most 200 characters.').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('x'.repeat(200));
    await page.getByText('Use at most 200 characters.').waitFor({ state: 'detached' });
  });

  it('are not met by who may not edit the event: its form is not shown', async () => {
    const published = await createEvent(world, draft({ visibility: 'internal' }));
    const page = await world.visit(`/events/${published}/edit`, { as: PARENT });
    await page.getByText('You don’t have permission to see or do this.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    const steps: Steps = [['publish'], ['cancel', { reason: 'Snow' }]];
    const cancelled = await createEvent(world, draft({ visibility: 'internal' }), steps);
    const staff = await world.visit(`/events/${cancelled}/edit`);
    await staff.getByText('You can’t edit this event any more.').waitFor();
    expect(await staff.getByRole('textbox').count()).toBe(0);
  });

  it('name the field and lead to it if it is a choice', async () => {
    const page = await world.visit('/events/new?step=place');
    page.expectFaults(/422/);
    await page.route('**/events/options?*', async (route) => {
      const response = await route.fetch();
      const options = await response.json();
      await route.fulfill({ response, json: { ...options, defaults: { ...options.defaults, timezone: '+02:00' } } });
    });
    await page.reload();
    await page.getByLabel('Seats').fill('2.5');
    await page.getByText('Enter a whole number.').waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const problems = page.getByRole('region', { name: 'There is a problem' });
    await problems.getByRole('link', { name: 'Enter a title' }).waitFor();
    expect(await problems.getByRole('link').allTextContents()).toEqual([
      'Enter a title',
      'Seats: Enter a whole number.',
    ]);
    await problems.getByRole('link', { name: 'Enter a title' }).click();
    await page.keyboard.type(newName('Outing'));
    await problems.getByRole('link', { name: 'Seats: Enter a whole number.' }).waitFor();
    await problems.getByRole('link', { name: 'Time zone: Choose a time zone.' }).waitFor();
    expect(await problems.getByRole('link').allTextContents()).toEqual([
      'Time zone: Choose a time zone.',
      'Seats: Enter a whole number.',
    ]);
    await problems.getByRole('link', { name: 'Time zone: Choose a time zone.' }).click();
    await page.waitForURL('**step=schedule**');
    await expect.poll(() => focused(page)).toBe('timezone');
  });
});
