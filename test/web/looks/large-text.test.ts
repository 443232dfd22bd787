import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contactOf } from '../../support/world.ts';
import { CONCERT, limited, register } from '../event/concert.ts';
import { describeWeb, go, newName, provideSite, type Visit } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('text of twice the size', () => {
  const site = provideSite('UTC', [contactOf(1, { user_id: 'staff-1', roles: ['staff'] })]);

  const enlarge = (page: Visit) => page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const overflowOf = (page: Visit) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  async function open(path: string, language?: 'cs') {
    const page = await site.visit(path, { viewport: { width: 320, height: 640 }, ...(language && { language }) });
    await enlarge(page);
    return page;
  }

  it('leaves most of the bell beside the number of unread messages', async () => {
    const page = await open('/settings');
    page.expectFaults(/ERR_FAILED/);
    await page.route('**/inbox/stream*', (route) => route.abort());
    await page.route('**/api/v1/me/inbox?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), unread_count: 1234, unseen_count: 1 } });
    });
    await page.reload();
    await enlarge(page);
    const bell = page.getByRole('banner').getByRole('link', { name: /^Inbox, 1,?234/ });
    const [icon, number, account] = await Promise.all(
      [bell.locator('svg'), bell.locator('span'), page.getByRole('button', { name: /Account/ })].map((one) =>
        one.boundingBox(),
      ),
    );
    if (!icon || !number || !account) throw new Error('not shown');
    expect(number.x - icon.x).toBeGreaterThan(icon.width / 2);
    expect(number.x + number.width).toBeLessThanOrEqual(account.x);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });

  it('fits every page into 320 px', async () => {
    const id = await createEvent(site, { ...CONCERT, ...limited(5), event_type: 'parent_teacher' });
    await register(site, id, newName('student'));
    // The list of calls has those who got the announcement.
    const sent = () => site.database.collection('deliveries').countDocuments({ event_id: id, status: 'sent' });
    await expect.poll(sent).toBeGreaterThan(0);
    const message = { subject: 'Closed', body: 'The heating has failed.', channels: ['in_app'] };
    const { id: message_id } = (await site.call('POST', '/api/v1/operations/messages', message)).body;
    const idOn = (path: string) =>
      path.startsWith('/messages') ? `${message_id}` : path.startsWith('/people') ? 'staff-1' : id;
    // The built client lists its pages; these need no sign-in.
    const pages: string[] = JSON.parse(readFileSync(new URL('../../../dist/web/pages.json', import.meta.url), 'utf8'));
    const own = pages.filter((path) => path !== '/' && !/^\/(sign-in|public|embed)/.test(path));
    const page = await open('/settings');
    const tooWide: string[] = [];
    for (const path of own) {
      const before = await page.title();
      await go(page, path.replace(':kind', 'event').replace(':id', idOn(path)));
      await expect.poll(() => page.title(), { message: path }).not.toBe(before);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      const wide = await overflowOf(page);
      if (wide > 0) tooWide.push(`${path}: ${wide} px`);
    }
    expect(own.length).toBeGreaterThan(15);
    expect(tooWide).toEqual([]);
  });

  it('breaks the long words of Czech that do not fit into 320 px', async () => {
    const id = await createEvent(site, { ...CONCERT, is_featured: true });
    await expect
      .poll(() => site.database.collection('deliveries').countDocuments({ event_id: id, status: 'sent' }))
      .toBeGreaterThan(0);
    const page = await open('/inbox', 'cs');
    const pages = [
      ['/inbox', 'Označit vše jako přečtené'],
      [`/events/${id}`, /Oznámeno/],
      [`/events/${id}`, 'zvýrazněno'],
      ['/events/new', 'Zaměstnanci'],
      ['/messages/new', 'Zaměstnanci'],
    ] as const;
    const tooWide: string[] = [];
    for (const [path, text] of pages) {
      await go(page, path);
      await page.getByText(text).first().waitFor();
      const wide = await overflowOf(page);
      if (wide > 0) tooWide.push(`${path}: ${wide} px`);
    }
    expect(tooWide).toEqual([]);
  });

  it('shows whole words in the navigation of a phone also with the letters as far apart as a reader may set them', async () => {
    const page = await site.visit('/settings', { viewport: { width: 320, height: 640 }, language: 'cs' });
    const words = page.getByRole('navigation').locator('a > span:visible');
    await words.filter({ hasText: 'Statistika' }).waitFor();
    const cut = await words.evaluateAll((all: HTMLElement[]) => {
      for (const one of all) one.style.letterSpacing = '0.12em';
      return all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
    });
    expect(cut).toEqual([]);
  });

  it('is not covered by bars in a window that is 256 px high', async () => {
    const id = await createEvent(site, { ...CONCERT, ...limited(5) });
    const page = await site.visit(`/events/${id}`, { viewport: { width: 320, height: 256 } });
    await page.getByTestId('bar').getByRole('button').waitFor();
    await page.evaluate(() => window.scrollTo(0, 300));
    const seen = await page.evaluate(() =>
      [5, 50, 128, 200, 250].map((y) => document.elementFromPoint(160, y)?.closest('header, nav, [data-testid=bar]')),
    );
    expect(seen.every((bar) => !bar)).toBe(true);
  });

  it('leaves a line of a list room for words', async () => {
    await createEvent(site, { ...CONCERT, title: 'Open concert', visibility: 'public' });
    const page = await open('/inbox');
    const { start_date, title } = { ...CONCERT, title: /Open concert/ };
    for (const path of [
      '/inbox',
      `/events?view=agenda&date=${start_date}`,
      `/public/${site.scope.school_id}?date=${start_date}`,
    ]) {
      await go(page, path);
      const width = async () => (await page.getByRole('main').getByText(title).first().boundingBox())?.width;
      await expect.poll(width, { message: path }).toBeGreaterThan(120);
    }
  });
});
