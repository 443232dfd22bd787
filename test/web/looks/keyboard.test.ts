import { expect, it } from 'vitest';
import { contactOf, draft, E, putPeople } from '../../support/world.ts';
import { CONCERT, limited, registerAll } from '../event/concert.ts';
import { describeWeb, go, PHONE, provideSite, type Visit } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('a user with only the keyboard', () => {
  const world = provideSite();

  /** The name of the control that has the focus. */
  const focusedName = (page: Visit): Promise<string> =>
    page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null;
      return (at?.getAttribute('aria-label') || at?.labels?.[0]?.textContent || at?.textContent || '').trim();
    });

  /** Presses Tab until the focus is on a control of this name. */
  async function tabTo(page: Visit, name: RegExp): Promise<void> {
    for (let steps = 0; steps < 120; steps += 1) {
      await page.keyboard.press('Tab');
      if (name.test(await focusedName(page))) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  /** Whether something lies above the middle of the control that has the focus, and above its corners. */
  const isHidden = (page: Visit): Promise<boolean> =>
    page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const at = focused.closest('label') ?? focused;
      const { x, y, width, height } = at.getBoundingClientRect();
      const shares = [0.5, 0.1, 0.9];
      const points = shares.flatMap((right) => shares.map((down) => [x + width * right, y + height * down] as const));
      const seen = points.map(([left, top]) => document.elementFromPoint(left, top));
      return !seen.some((one) => one !== null && (one.contains(at) || at.contains(one)));
    });

  it('sees the control that has the focus above a bar with buttons', async () => {
    const id = await createEvent(world, { ...CONCERT, ...limited(40) });
    await registerAll(
      world,
      id,
      Array.from({ length: 30 }, (_, at) => `student-${at}`),
    );
    const page = await world.visit(`/events/${id}/registrations`, { viewport: PHONE });
    const hidden: string[] = [];
    const tabOn = async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        await page.keyboard.press('Tab');
        if (await isHidden(page)) hidden.push(`${new URL(page.url()).pathname}: ${await focusedName(page)}`);
      }
    };
    const box = page.getByRole('checkbox', { name: 'Select student-2', exact: true });
    await box.evaluate((one) => window.scrollBy(0, one.getBoundingClientRect().bottom - innerHeight + 60));
    await box.press('Space');
    await page.getByRole('region', { name: 'Selected registrations' }).waitFor();
    expect(await isHidden(page)).toBe(false);
    await tabOn(24);
    await go(page, '/school');
    await page.getByLabel('Name of the school').focus();
    await tabOn(30);
    expect(hidden).toEqual([]);
  });

  it('sees which hour has the focus also if an event fills the hour', async () => {
    const day = '2031-05-02';
    await createEvent(world, draft({ start_date: day, end_date: day }));
    const page = await world.visit(`/events?view=day&date=${day}`);
    await page.getByRole('gridcell', { name: /, 18:00, 1 event/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page
      .getByRole('gridcell', { name: /, 19:00, 1 event/ })
      .and(page.locator(':focus'))
      .waitFor();
    // The mouse still reaches the event below it.
    const isBelow = () =>
      page.evaluate(() => document.activeElement && getComputedStyle(document.activeElement).pointerEvents);
    expect(await isBelow()).toBe('none');
    await page.locator(':focus').evaluate((one: HTMLElement) => {
      one.style.pointerEvents = 'auto';
    });
    expect(await isHidden(page)).toBe(false);
  });

  it('hears which page a link has opened', async () => {
    const page = await world.visit('/events');
    const live = page.getByTestId('live');
    await expect.poll(() => live.textContent()).toMatch(/events?$/);
    await tabTo(page, /^Inbox/);
    await page.keyboard.press('Enter');
    await expect.poll(() => live.textContent()).toBe('Inbox');
    const id = await createEvent(world, draft({ title: 'Chess club' }));
    await go(page, `/events/${id}`);
    await expect.poll(() => live.textContent()).toBe('Chess club');
  });

  it('returns from a menu to its button also in Safari, where a click does not focus a button', async () => {
    const page = await world.visit('/settings');
    await page.evaluate(() => document.addEventListener('mousedown', (event) => event.preventDefault()));
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    expect(await focusedName(page)).toMatch(/^Account/);
  });

  it('creates an event, publishes it, registers for it and cancels it', async () => {
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).waitFor();
    await tabTo(page, /^Title$/);
    await page.keyboard.type('Chess evening');
    await tabTo(page, /^Meeting$/);
    for (const _step of ['meeting', 'workshop']) await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Seminar' }).isChecked()).toBe(true);
    await tabTo(page, /^Next$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Schedule' }).waitFor();
    for (const heading of ['Location', 'Registration']) {
      await tabTo(page, /^Next$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: heading }).waitFor();
    }
    await tabTo(page, /^No registration/);
    await page.keyboard.press('ArrowDown');
    await page.getByText('Draft saved').waitFor();
    await tabTo(page, /^Publish…$/);
    await page.keyboard.press('Enter');
    // The question comes before its answers.
    await page.getByRole('dialog', { name: 'Publish: Chess evening' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    expect(await focusedName(page)).toBe('Now');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true, disabled: false }).waitFor();
    await tabTo(page, /^Publish$/);
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: 'Register' }).waitFor();
    await tabTo(page, /^Register$/);
    await page.keyboard.press('Enter');
    await page.locator('form').getByRole('button', { name: 'Register' }).waitFor();
    await tabTo(page, /^Register$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toMatch(/^You are registered/);
    const id = new URL(page.url()).pathname.split('/')[2];
    const url = `${E}/${id}`;
    expect((await world.call('GET', url)).body).toMatchObject({ status: 'published', current_attendees: 1 });

    await tabTo(page, /^Cancel registration/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Cancel this registration?' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    expect(await focusedName(page)).toBe('Go back');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tabTo(page, /^More actions/);
    await page.keyboard.press('Enter');
    const item = page.getByRole('menuitem', { name: 'Cancel event' });
    await item.waitFor();
    for (let steps = 0; steps < 20 && !(await item.evaluate((one) => one === document.activeElement)); steps += 1)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => focusedName(page)).toMatch(/^Reason/);
    await page.keyboard.type('The hall is taken');
    await tabTo(page, /^Cancel event/);
    await page.keyboard.press('Enter');
    await page.getByText('The hall is taken', { exact: false }).first().waitFor();
    await expect.poll(async () => (await world.call('GET', url)).body.status).toBe('cancelled');
  });

  it('takes a message to the school back', async () => {
    await putPeople(world, [contactOf(1)]);
    const page = await world.visit('/messages/new');
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
    await tabTo(page, /^Send to/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toBe('Subject');
    await page.keyboard.type('No lunch');
    await tabTo(page, /^Message$/);
    await page.keyboard.type('The kitchen is closed.');
    await tabTo(page, /^Send to/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Message withdrawn. No one received it.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message', exact: true }).inputValue()).toBe(
      'The kitchen is closed.',
    );
    // The next Tab goes on in the page, not at its top.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });
});
