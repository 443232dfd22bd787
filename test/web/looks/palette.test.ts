import { expect, it } from 'vitest';
import { latch } from '../../support/latch.ts';
import { contactOf } from '../../support/world.ts';
import { axeFaults, describeWeb, newName, PARENT, PHONE, provideSite, type Visit } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('the search over all pages', () => {
  const world = provideSite('Europe/Prague', [
    contactOf(1, { user_id: 'regina', name: 'Regina Nováková', class_ids: ['class-5a'] }),
    contactOf(2, { user_id: 'hana', name: 'Hana Malá', roles: ['staff'] }),
  ]);
  const open = provideSharedPage(world);

  const event = { event_type: 'sports', start_date: '2031-05-02', end_date: '2031-05-02' };
  const input = (page: Visit) => page.getByRole('combobox', { name: 'Search', exact: true });
  // The page behind may have options of its own.
  const options = (page: Visit) => page.getByRole('listbox', { name: 'Search' }).getByRole('option');
  const active = (page: Visit) =>
    input(page).evaluate(
      (one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '',
    );

  it('opens an event at any time with Ctrl+K and the keyboard alone, and returns the focus on Esc', async () => {
    const word = newName('Regatta');
    const ahead = await createEvent(world, { ...event, title: `${word} ahead` });
    await createEvent(world, { ...event, title: `${word} behind`, start_date: '2024-05-02', end_date: '2024-05-02' });
    const page = await open('/settings');
    const bell = page.getByRole('link', { name: /^Inbox/ });
    await bell.focus();
    await page.keyboard.press('Control+k');
    await input(page).waitFor();
    await page.keyboard.press('Escape');
    await input(page).waitFor({ state: 'detached' });
    expect(await bell.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    await input(page).waitFor();
    await page.keyboard.type(word);
    // A person whom the first letters found is gone, too.
    await expect.poll(() => options(page).count()).toBe(3);
    // A live region of the page behind would be silent.
    await page.getByRole('dialog').getByRole('status').getByText('3 results').waitFor();
    await expect.poll(() => active(page)).toContain(`${word} ahead`);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toContain(`${word} behind`);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toBe(`All results for “${word}”`);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toContain(`${word} ahead`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/events/${ahead}`);
    await input(page).waitFor({ state: 'detached' });
  });

  it('takes what is typed before its script has loaded, and no shortcut does', async () => {
    const page = await world.visit('/events');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    const { open: release, opened: held } = latch();
    await page.route('**/assets/*', (route) => held.then(() => route.continue()));
    const isAsked = page.waitForRequest('**/assets/*');
    await page.keyboard.press('Control+k');
    await isAsked;
    await page.keyboard.type('concert');
    release();
    await expect.poll(() => input(page).inputValue()).toBe('concert');
    expect(new URL(page.url()).pathname).toBe('/events');
  });

  it('opens no event with Enter that it found for another text', async () => {
    const [first, second] = [newName('Alphabet'), newName('Bethlehem')];
    for (const title of [first, second]) await createEvent(world, { ...event, title });
    const page = await open('/events');
    await page.getByRole('button', { name: 'Search' }).click();
    await input(page).fill(first);
    await options(page).filter({ hasText: '2 May 2031' }).waitFor();
    await input(page).fill(second);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?q=Bethlehem/);
  });

  it('finds people for staff and leads to their page, and runs actions', async () => {
    const page = await open('/events');
    await page.getByRole('button', { name: 'Search' }).click();
    await input(page).fill('novak');
    await options(page).filter({ hasText: 'Regina Nováková' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await options(page).filter({ hasText: 'Regina Nováková' }).click();
    await page.waitForURL('**/people/regina');
    await page.keyboard.press('Control+k');
    await input(page).fill('new ev');
    await expect.poll(() => active(page)).toBe('All results for “new ev”');
    await options(page).filter({ hasText: 'New event' }).click();
    await page.waitForURL('**/events/new');
  });

  it('offers a parent on a phone neither people nor pages of staff', async () => {
    const word = newName('Picnic');
    const id = await createEvent(world, { ...event, title: word });
    const page = await world.visit('/inbox', { as: PARENT, viewport: PHONE, hasTouch: true });
    const button = page.getByRole('button', { name: 'Search' });
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await button.tap();
    await options(page).filter({ hasText: 'Calendar' }).waitFor();
    for (const name of ['New event', 'Statistics', 'Delivery'])
      expect([name, await options(page).filter({ hasText: name }).count()]).toEqual([name, 0]);
    await input(page).fill('novak');
    await options(page).filter({ hasText: 'All results' }).waitFor();
    expect(await page.getByText('Regina Nováková').count()).toBe(0);
    await input(page).fill(word);
    await options(page).filter({ hasText: '2 May 2031' }).tap();
    await page.waitForURL(`**/events/${id}`);
  });
});
