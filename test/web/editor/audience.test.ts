import { expect, it } from 'vitest';
import { contactOf, draft, E } from '../../support/world.ts';
import { axeFaults, describeWeb, go, PARENT, provideSite, type Visit } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('the audience of an event', () => {
  const world = provideSite('Europe/Prague', [
    contactOf(1, { user_id: 'eva', name: 'Eva Nováková', class_ids: ['class-5a'], grade_level_ids: ['grade-5'] }),
    contactOf(2, { user_id: 'adam', name: 'Adam Novák', class_ids: ['class-6b'], grade_level_ids: ['grade-6'] }),
    contactOf(3, { user_id: 'hana', name: 'Hana Malá', roles: ['staff'], department_ids: ['department-music'] }),
  ]);

  /** The id of the draft, which the URL gets a moment after it is saved. */
  const savedId = async (page: Visit): Promise<string> => {
    await page.waitForURL(/[?&]draft=/);
    return new URL(page.url()).searchParams.get('draft') ?? '';
  };
  const stored = async (id: string) => (await world.call('GET', `${E}/${id}`)).body;
  const focused = (page: Visit) => page.evaluate(() => document.activeElement?.getAttribute('role'));

  it('is named in words also while the groups of the school load', async () => {
    const page = await world.visit('/inbox');
    // The choices of the form itself have a language in their address.
    await page.route(/\/events\/options$/, () => {});
    await page.goto('/events/new');
    await page.getByRole('checkbox', { name: 'Everyone' }).waitFor();
  });

  it('gets no one with Enter who was found for another name', async () => {
    const page = await world.visit('/events/new');
    await page.getByText('Who can see it: Whole school').click();
    await page.getByRole('radio', { name: 'Selected people' }).check();
    const field = page.getByRole('combobox', { name: 'People' });
    await field.fill('adam');
    await page.getByRole('option', { name: /Adam/ }).waitFor();
    await field.fill('hana');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /Hana/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove: Hana Malá' }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove: Adam Novák' }).count()).toBe(0);
  });

  it('is picked by name with the keyboard alone, announced, passes axe, and is shown on the event page and in the form', async () => {
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).fill('Committee');
    await page.getByText('Who can see it: Whole school').click();
    await page.getByRole('radio', { name: 'Selected people' }).check();
    await page.getByText('No one is selected yet').waitFor();
    const field = page.getByRole('combobox', { name: 'People' });
    await field.focus();
    // Not key by key: the matches of the beginning of a name would show for a moment, and Enter picks none of them.
    await page.keyboard.insertText('novak');
    await page.getByRole('listbox').getByRole('option').nth(1).waitFor();
    expect(await page.getByRole('listbox').getByRole('option').allTextContents()).toEqual([
      'Adam Novákstudent · 6B',
      'Eva Novákovástudent · 5A',
    ]);
    await expect.poll(() => page.getByTestId('live').textContent()).toBe('2 matches');
    const active = () =>
      field.evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent);
    expect(await active()).toMatch(/^Adam/);
    await page.keyboard.press('ArrowDown');
    expect(await active()).toMatch(/^Eva/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('live').textContent()).toBe('Eva Nováková added');
    expect(await focused(page)).toBe('combobox');
    await page.keyboard.insertText('hana');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /Hana Malá/ })
      .waitFor();
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The list offers no one twice.
    await page.keyboard.insertText('nova');
    await page.getByRole('listbox').getByRole('option', { name: /Adam/ }).waitFor();
    expect(await page.getByRole('listbox').getByRole('option').count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await field.fill('');
    const id = await savedId(page);
    await expect.poll(async () => (await stored(id)).restricted_to).toMatchObject({ user_ids: ['eva', 'hana'] });
    await page.keyboard.press('Backspace');
    await page.getByRole('checkbox', { name: '5A (1 person)' }).check();
    await page.getByRole('group', { name: 'Roles' }).getByRole('checkbox', { name: 'Students' }).check();
    await expect
      .poll(async () => (await stored(id)).restricted_to)
      .toMatchObject({ user_ids: ['eva'], class_ids: ['class-5a'], roles: ['student'] });

    await go(page, `/events/${id}`);
    const shown = page.getByRole('region', { name: 'Who it is for' });
    await shown.getByText('Eva Nováková').waitFor();
    expect(await shown.getByRole('listitem').allTextContents()).toEqual(['Students + Class 5A', 'Eva Nováková']);
    await go(page, `/events/${id}/edit`);
    await page.getByRole('button', { name: 'Remove: Eva Nováková' }).waitFor();
    expect(await page.getByRole('checkbox', { name: '5A (1 person)' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Whole school' }).check();
    await expect.poll(async () => (await stored(id)).restricted_to).toBeNull();
  });

  it('sees the event if chosen, and gets a 404 otherwise', async () => {
    const restricted_to = { user_ids: ['parent-1'] };
    const id = await createEvent(world, draft({ title: 'Talk', visibility: 'restricted', restricted_to }));
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    await page.getByRole('heading', { name: 'Talk' }).waitFor();
    // A parent must not learn who else was chosen.
    expect(await page.getByRole('region', { name: 'Who it is for' }).count()).toBe(0);
    await page.leave();
    const other = await world.visit(`/events/${id}`, { as: { user_id: 'parent-2', roles: ['parent'] } });
    other.expectFaults(/404/);
    await other.getByText('Page not found').waitFor();
  });

  it('can be a class, grades and roles, who alone see the event, and a department the organizer', async () => {
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).fill('Trip');
    const id = await savedId(page);
    const audience = page.getByRole('region', { name: 'Who is it for?' });
    await audience.getByRole('checkbox', { name: 'Parents' }).check();
    await audience.getByText('Who can see it: Parents only').waitFor();
    expect(await audience.getByRole('checkbox', { name: 'Everyone' }).isChecked()).toBe(false);
    await page.getByLabel('Class', { exact: true }).selectOption({ label: '5A (1 person)' });
    await page.getByRole('group', { name: 'Grades' }).getByRole('checkbox', { name: '5 (1 person)' }).check();
    await audience.getByText('Who can see it: only these people').waitFor();
    await page.getByRole('link', { name: /More/ }).click();
    await page.getByLabel('Organized by').selectOption({ label: 'Music (1 person)' });
    const wanted = {
      target_audience: ['parents'],
      class_id: 'class-5a',
      grade_level_ids: ['grade-5'],
      department_id: 'department-music',
      visibility: 'restricted',
      restricted_to: { roles: ['parent'], class_ids: ['class-5a'], grade_level_ids: ['grade-5'] },
    };
    await expect.poll(async () => await stored(id)).toMatchObject(wanted);
    await go(page, `/events/${id}`);
    const shown = page.getByRole('region', { name: 'Who it is for' });
    const lines = () => shown.getByRole('listitem').allTextContents();
    await expect.poll(lines).toEqual(['Parents', 'Class 5A', 'Grade 5']);
    await page.getByRole('region', { name: 'Organizer' }).getByText('Music').waitFor();
    await go(page, `/events/${id}/edit`);
    expect(await page.getByLabel('Class', { exact: true }).inputValue()).toBe('class-5a');
    await page.getByLabel('Class', { exact: true }).selectOption({ label: 'All classes' });
    await expect
      .poll(async () => await stored(id))
      .toMatchObject({ class_id: null, restricted_to: { class_ids: [], grade_level_ids: ['grade-5'] } });
  });
});
