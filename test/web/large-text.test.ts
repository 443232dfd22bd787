import { expect, it } from 'vitest';
import { describeWeb, go, newName, provideSite } from './browser.ts';
import { CONCERT, limited, register } from './event/concert.ts';
import { createEvent } from './site-events.ts';

describeWeb('text of twice the size', () => {
  const site = provideSite();

  it('fits every page into 320 px', async () => {
    const id = await createEvent(site, { ...CONCERT, ...limited(5), event_type: 'parent_teacher' });
    await register(site, id, newName('student'));
    const page = await site.visit('/settings', { viewport: { width: 320, height: 640 } });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    const pages = [
      ['/settings', 'Settings'],
      ['/statistics', 'Statistics'],
      [`/events/${id}/registrations`, 'Registrations'],
      [`/events/${id}`, CONCERT.title],
      [`/events/${id}/edit`, 'Edit event'],
      ['/ops', 'Delivery'],
    ] as const;
    const tooWide: string[] = [];
    for (const [path, heading] of pages) {
      await go(page, path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) tooWide.push(`${path}: ${wide} px`);
    }
    expect(tooWide).toEqual([]);
  });
});
