import { expect, it } from 'vitest';
import { contactOf } from '../../support/world.ts';
import { CONCERT, limited, register } from '../event/concert.ts';
import { contrastFaults, describeWeb, go, provideSite } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('every page', () => {
  const world = provideSite('UTC', [contactOf(1, { user_id: 'eva', name: 'Eva Malá' })]);

  it('has enough contrast in a theme, and controls that are large enough to tap', async () => {
    const id = await createEvent(world, { ...CONCERT, ...limited(1), is_featured: true });
    for (const user_id of ['eva', 'jan']) expect((await register(world, id, user_id)).status).toBe(201);
    const pages: [path: string, shown: string][] = [
      ['/events/new', 'Who is it for?'],
      [`/events?view=month&date=${CONCERT.start_date}`, 'Concert'],
      [`/events/${id}`, 'Delivery report'],
      [`/events/${id}/registrations`, 'Eva Malá'],
      ['/messages/new', 'Sending'],
      ['/settings', 'Quiet hours'],
      ['/school', 'Webhooks'],
      ['/inbox', 'Inbox'],
    ];
    const page = await world.visit('/inbox');
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'Inbox' }).waitFor();
    for (const [n, [path, shown]] of pages.entries()) {
      await page.emulateMedia({ colorScheme: n % 2 === 0 ? 'light' : 'dark' });
      await go(page, path);
      await main.getByText(shown).first().waitFor();
      expect(await contrastFaults(page), path).toEqual([]);
    }
    await main.getByRole('heading').evaluate((heading: HTMLElement) => {
      heading.style.color = '#444';
    });
    expect((await contrastFaults(page)).join()).toMatch(/^color-contrast: h1/);
  });

  it('marks the step of a form by the colors of a contrast theme alone', async () => {
    const page = await world.visit('/events/new');
    const step = page.getByRole('link', { name: 'Basics' });
    await step.waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const [link, digit] = await Promise.all(
      [step, step.locator('span').first()].map((one) => one.evaluate((part) => getComputedStyle(part).backgroundColor)),
    );
    expect(digit).toBe('rgba(0, 0, 0, 0)');
    expect(link).not.toBe(digit);
  });

  it('marks today by the colors of a contrast theme alone', async () => {
    const page = await world.visit('/events?view=week');
    const today = page.locator('button[aria-current=date] > span');
    await today.waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const [marked, paper] = await Promise.all(
      [today, page.locator('html')].map((one) => one.evaluate((part) => getComputedStyle(part).backgroundColor)),
    );
    expect(marked).not.toBe(paper);
  });
});
