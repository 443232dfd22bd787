import { expect, it } from 'vitest';
import { CONCERT } from '../event/concert.ts';
import { describeWeb, go, PARENT, PHONE, provideSite, type Visit } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

/** The goal for a finger, in pixels. */
const GOAL = 44;

describeWeb('a finger on a phone', () => {
  const site = provideSite('UTC');

  /** Buttons and links of the header and the page that are lower or narrower than the goal. */
  const tooSmall = (page: Visit) =>
    page.evaluate((goal) => {
      const selector = ':is(header, main, [role=menu]) :is(button, a[aria-label], summary), [role=status] button';
      const controls = document.querySelectorAll(selector);
      const boxes = [...controls].map((control) => ({ control, ...control.getBoundingClientRect().toJSON() }));
      return boxes
        .filter(({ width, height }) => width > 0 && (width < goal || height < goal))
        .map(({ control, width, height }) => `${control.textContent}: ${width} × ${height}`);
    }, GOAL);

  it('finds controls of at least 44 px in the calendar, on an event and in its form', async () => {
    const id = await createEvent(site, { ...CONCERT, registration_type: 'optional', visibility: 'public' });
    const calendar = `/events?view=month&date=${CONCERT.start_date}&quick=featured`;
    const parent = await site.visit(calendar, { as: PARENT, viewport: PHONE });
    await parent.getByRole('button', { name: 'Clear 1 filter' }).waitFor();
    expect(await tooSmall(parent)).toEqual([]);
    await go(parent, `/events/${id}`);
    await parent.getByRole('button', { name: 'Register' }).waitFor();
    expect(await tooSmall(parent)).toEqual([]);
    await parent.getByRole('button', { name: /Account/ }).click();
    await parent.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await tooSmall(parent)).toEqual([]);
    await parent.keyboard.press('Escape');
    await parent.getByRole('button', { name: 'Share' }).waitFor();
    const staff = await site.visit('/events/new', { viewport: PHONE });
    await staff.getByRole('list', { name: 'Suggested titles' }).waitFor();
    expect(await tooSmall(staff)).toEqual([]);
  });

  it('finds text of at least 16 px in fields, since an iPhone zooms in on smaller text', async () => {
    const page = await site.visit('/events/new?step=schedule', { viewport: PHONE, hasTouch: true, isMobile: true });
    await page.getByLabel('Start date').waitFor();
    const sizes = await page
      .locator('input, select')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
  });

  it('finds nothing beside the camera of a phone that lies on its side', async () => {
    const page = await site.visit('/events?view=agenda', { viewport: { width: 844, height: 390 }, isMobile: true });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 47, right: 47 } });
    const boxes = await Promise.all(['main', 'banner'].map((role) => page.getByRole(role as 'main').boundingBox()));
    expect(boxes).toMatchObject([
      { x: 47, width: 750 },
      { x: 47, width: 750 },
    ]);
    await devtools.detach();
  });
});
