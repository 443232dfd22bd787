import { expect, it } from 'vitest';
import { latch } from '../support/latch.ts';
import { E } from '../support/world.ts';
import { DAY, entry, MATCH } from './calendar/entries.ts';
import { describeWeb, go, newName, PHONE, provideSite, type Visit, type VisitOptions } from './support/browser.ts';
import { createEvent } from './support/site-events.ts';

const LOST = 'The server can’t be reached. What you see may be out of date.';

describeWeb('the client without a connection', () => {
  const world = provideSite('Europe/Prague');
  const make = (more: object) => createEvent(world, { ...MATCH, ...more });

  const open = async (path: string, options: VisitOptions = {}) => {
    const page = await world.visit(path, options);
    page.expectFaults(/ERR_INTERNET_DISCONNECTED/);
    return page;
  };
  const cut = (page: Visit) => page.context().setOffline(true);
  const askToCancel = async (page: Visit) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel event' }).click();
  };
  const restore = (page: Visit) => page.context().setOffline(false);
  /** The server performs the next such request, but its answer gets lost. */
  const loseAnswer = (page: Visit, method: string, path: string) =>
    page.route(
      (url) => url.pathname === path,
      async (route) => {
        if (route.request().method() !== method) return route.fallback();
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );

  it('says so, dims the month it still shows, and goes on by itself', async () => {
    const title = newName('Match');
    await make({ title, start_date: '2031-07-10', end_date: '2031-07-10' });
    const page = await open('/events?view=month&date=2031-05-01');
    await page.locator('[aria-busy=false]').waitFor();
    await cut(page);
    // Pushes the button down: a click during that would miss it.
    await page.getByText(LOST).waitFor();
    // June may have been loaded ahead, but not July.
    for (const _ of ['June', 'July']) await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.locator('[aria-busy=true]').waitFor();
    await restore(page);
    await page.getByText(LOST).waitFor({ state: 'hidden' });
    await entry(page, title).waitFor();
  });

  it('says nothing when a request ends because another page was asked for, as in Firefox', async () => {
    const page = await open('/events?view=month&date=2031-02-01');
    page.expectFaults(/ERR_ABORTED|ERR_FAILED/);
    await page.locator('[aria-busy=false]').waitFor();
    const { open: end, opened: ended } = latch();
    await page.route('**/events/calendar?*2031-04*', (route) => ended.then(() => route.abort('aborted')), { times: 1 });
    const isAsked = page.waitForRequest('**/events/calendar?*2031-04*');
    for (const _ of ['March', 'April']) await page.getByRole('button', { name: 'Next', exact: true }).click();
    await isAsked;
    const hasSaid = page.evaluate(
      (said) =>
        new Promise((resolve) => {
          new MutationObserver(() => document.body.textContent.includes(said) && resolve(true)).observe(document.body, {
            subtree: true,
            childList: true,
          });
          // The query tries again.
          new PerformanceObserver((list) => list.getEntries().length > 0 && resolve(false)).observe({
            type: 'resource',
          });
        }),
      LOST,
    );
    await page.evaluate(() => window.dispatchEvent(new Event('beforeunload')));
    end();
    expect(await hasSaid).toBe(false);
  });

  it('shows the week of a loaded month, not its first week', async () => {
    const title = newName('Match');
    await make({ title, start_date: '2031-11-19', end_date: '2031-11-19' });
    const page = await open('/events?view=week&date=2031-11-05');
    await page.getByRole('grid', { name: 'Hours of the day' }).waitFor();
    await go(page, '/events?view=month&date=2031-11-19');
    await entry(page, title).waitFor();
    await cut(page);
    await page.getByText(LOST).waitFor();
    await page.keyboard.press('w');
    await page.locator('[data-time-grid] a[data-entry]', { hasText: title }).waitFor();
    await page.getByRole('heading', { level: 1, name: /^17.*23 November 2031/ }).waitFor();
    await restore(page);
  });

  it('says once that parts of the page can’t be loaded', async () => {
    const page = await open('/events?view=month&date=2031-12-01');
    page.expectFaults(/ERR_FAILED/);
    await page.locator('[aria-busy=false]').waitFor();
    await page.route('**/assets/time-grid-*.js', (route) => route.abort());
    const alert = page.getByRole('alert').filter({ hasText: 'Check your connection and try again.' });
    await page.keyboard.press('w');
    const first = await alert.elementHandle();
    await page.keyboard.press('d');
    await first?.waitForElementState('hidden');
    await alert.waitFor();
    expect(await alert.count()).toBe(1);
  });

  it('keeps the month that it shows if it can’t be loaded again, and shows undimmed that another month can’t be loaded', async () => {
    const title = newName('Match');
    const id = await make({ title, start_date: '2031-09-10', end_date: '2031-09-10' });
    const page = await world.visit('/events?view=month&date=2031-09-01', { live: true });
    page.expectFaults(/500/);
    await entry(page, title).waitFor();
    const json = { status: 500, code: 'internal' };
    await page.route('**/events/calendar?*', (route) => route.fulfill({ status: 500, json }));
    const failed = page.waitForResponse((response) => response.status() === 500);
    expect((await world.call('PATCH', `${E}/${id}`, { is_featured: true })).status).toBe(200);
    await failed;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await entry(page, title).count()).toBe(1);
    for (const _ of ['October', 'November']) await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.locator('[aria-busy=false]').getByText('Something went wrong on our side.').waitFor();
  });

  it('opens an earlier visited page without a connection, also after the session has ended, and says that there is none', async () => {
    const page = await open('/people', { serviceWorkers: 'allow' });
    // The next load repeats an installation of the service worker that has failed.
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('button', { name: /Account/ }).waitFor();
        return page.evaluate(() => navigator.serviceWorker.controller !== null);
      })
      .toBe(true);
    // Only files that a page loads through the worker are kept.
    await page.reload();
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await page.addInitScript(() => {
      localStorage.session = JSON.stringify({ ...JSON.parse(localStorage.session), until: 1 });
    });
    await cut(page);
    await page.reload();
    await page.getByText(LOST).waitFor();
    await restore(page);
    await page.getByText(LOST).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Import people' }).waitFor();
  });

  it('saves a draft once the server answers again, also if only an answer was lost, and asks before it is left before that', async () => {
    const title = newName('Concert');
    const page = await open(`/events/new?date=${DAY}`);
    await page.getByLabel('Title', { exact: true }).waitFor();
    await cut(page);
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    let question = '';
    page.once('dialog', (asked) => {
      question = asked.message();
      void asked.dismiss();
    });
    await page.getByRole('link', { name: 'Calendar' }).first().click();
    await expect.poll(() => question).toBe('Leave without saving your changes?');
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe(title);
    await restore(page);
    await page.getByText('Draft saved').waitFor();
    const id = new URL(page.url()).searchParams.get('draft');
    page.expectFaults(/ERR_FAILED/);
    await loseAnswer(page, 'PATCH', `/api/v1/operations/events/${id}`);
    await page.getByLabel('Description', { exact: true }).fill('In the hall.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Draft saved').waitFor();
  });

  it('says so and saves a draft by itself also if a proxy responds while the server restarts', async () => {
    const page = await open(`/events/new?date=${DAY}`);
    page.expectFaults(/502/);
    await page.getByLabel('Title', { exact: true }).waitFor();
    await page.route(/\/(api|client-config)/, (route) => route.fulfill({ status: 502 }));
    await page.getByLabel('Title', { exact: true }).fill(newName('Concert'));
    await page.getByText(LOST).waitFor();
    await page.waitForResponse('**/client-config');
    expect(await page.getByText(LOST).isVisible()).toBe(true);
    await page.unrouteAll();
    await page.getByText('Draft saved').waitFor();
    await page.getByText(LOST).waitFor({ state: 'hidden' });
  });

  it('says on the next page that the last words of a draft are not saved, and saves them on request', async () => {
    const id = await createEvent(world, { ...MATCH, title: newName('Match') }, []);
    const page = await open(`/events/${id}/edit`);
    page.expectFaults(/ERR_FAILED/);
    await page.route(`**/events/${id}?scope=this`, (route) => route.abort());
    await page.getByLabel('Description', { exact: true }).fill('In the hall.');
    await page.getByRole('link', { name: 'Calendar' }).first().click();
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(new URL(page.url()).pathname).toBe('/events');
    await page.unrouteAll();
    await again.click();
    await expect.poll(async () => (await world.call('GET', `${E}/${id}`)).body.description).toBe('In the hall.');
  });

  it('says that it can’t load the dates of a series, not that there are none', async () => {
    const page = await world.visit(`/events/new?step=schedule&date=${DAY}`);
    page.expectFaults(/ERR_FAILED/);
    await page.route('**/events/occurrences?*', (route) => route.abort());
    await page.getByLabel('Repeats').selectOption('weekly');
    await page.getByText('The server can’t be reached. Check your connection and try again.').waitFor();
    expect(await page.getByText('This gives no dates').count()).toBe(0);
  });

  it('tells that a dialog can’t be loaded and tries again, and tells of a failed action in it; keeps the reason, asks before Esc throws it away, and sends a request whose answer was lost again', async () => {
    const id = await make({ title: newName('Match') });
    const page = await open(`/events/${id}`);
    page.expectFaults(/ERR_FAILED/);
    await page.route('**/assets/dialog-*.js', (route) => route.abort());
    await askToCancel(page);
    await page.getByRole('alert').getByText('Check your connection and try again.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Match' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await askToCancel(page);
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel('Reason');
    await reason.fill('The snow is deep.');
    page.once('dialog', (question) => question.accept());
    await page.keyboard.press('Escape');
    await reason.waitFor({ state: 'hidden' });
    await askToCancel(page);
    await reason.fill('The hall is flooded.');
    page.once('dialog', (question) => question.dismiss());
    await page.keyboard.press('Escape');
    expect(await reason.inputValue()).toBe('The hall is flooded.');
    await cut(page);
    await dialog.getByRole('button', { name: /Cancel event/ }).click();
    await dialog.getByRole('alert').waitFor();
    await restore(page);
    // The dry run of a dialog follows the event, which is cancelled before the dialog knows of it.
    page.expectFaults(/409/);
    await loseAnswer(page, 'POST', `/api/v1/operations/events/${id}/cancel`);
    await dialog.getByRole('button', { name: /Cancel event/ }).click();
    await page.getByText('This event is cancelled.').waitFor();
  });

  it('never lets a long link or word widen a phone', async () => {
    const long = `https://example.org/${'a'.repeat(200)}`;
    const id = await make({
      title: 'b'.repeat(200),
      description: long,
      location: { name: 'c'.repeat(150), virtualLink: long },
      attachments: [{ name: 'd'.repeat(100), url: long }],
    });
    const page = await world.visit(`/events/${id}`, { viewport: PHONE });
    await page.getByText(long).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  });
});
