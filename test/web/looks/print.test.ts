import { expect, it } from 'vitest';
import { contactOf, contactsOf, putPeople } from '../../support/world.ts';
import { CONCERT, limited, registerAll } from '../event/concert.ts';
import { DESKTOP, describeWeb, go, PHONE, provideSite, STAFF } from '../support/browser.ts';
import { printed } from '../support/pdf.ts';
import { createEvent } from '../support/site-events.ts';

const [SHORT, LONG] = [595, 842];
const bare = (text: string) => text.replace(/\s/g, '');

describeWeb('printing', () => {
  const world = provideSite('UTC');

  it('puts a month and a week on landscape sheets, with every entry and its whole title', async () => {
    const day = { start_date: '2027-05-12', end_date: '2027-05-12' };
    // Without random letters: two of them may be drawn as one ligature, which does not read as text.
    const titles = Array.from({ length: 7 }, (_, at) => `Rehearsal of the school orchestra in the hall ${at}`);
    for (const title of titles) await createEvent(world, { ...CONCERT, ...day, title });
    const later = { new_start_date: null, reason: 'Snow' };
    await createEvent(world, { ...CONCERT, ...day, title: 'Matinee' }, [['publish'], ['postpone', later]]);
    const page = await world.visit('/events?view=month&date=2027-05-12');
    for (const [viewport, view] of [
      [DESKTOP, 'month'],
      [PHONE, 'month'],
      [DESKTOP, 'week'],
    ] as const) {
      await page.setViewportSize(viewport);
      await go(page, `/events?view=${view}&date=2027-05-12`);
      await page.getByText('Rehearsal').first().waitFor({ state: 'attached' });
      const { sheets, text } = await printed(page);
      for (const [width, height] of sheets) expect([Math.round(width), Math.round(height)]).toEqual([LONG, SHORT]);
      for (const title of titles) expect(text).toContain(bare(title));
      expect(text).toContain('May2027');
      expect(text).toContain('Matinee(Postponed)');
    }
    await page.emulateMedia({ media: 'print' });
    // Firefox prints a page that is landscape only in parts in letters of two thirds of their size, and an empty sheet.
    const whole = () => getComputedStyle(document.documentElement).getPropertyValue('page');
    expect(await page.evaluate(whole)).toBe('landscape');
  });

  it('leaves the delivery report and the history out of the page of an event', async () => {
    const title = 'Concert of the school orchestra';
    await putPeople(world, [contactOf(1)]);
    const id = await createEvent(world, { ...CONCERT, title });
    // The page reads the report once.
    await expect
      .poll(() => world.database.collection('deliveries').countDocuments({ event_id: id }))
      .toBeGreaterThan(0);
    const page = await world.visit(`/events/${id}`);
    await page.getByText(/of \d+ pe\w+ reached/).waitFor();
    const { sheets, text } = await printed(page);
    expect(sheets).toHaveLength(1);
    expect(text).toContain(bare(title));
    expect(text).toContain('18:00–20:00');
    for (const left of ['Deliveryreport', 'reached', 'History', 'Edit']) expect(text).not.toContain(left);
  });

  it('has dark letters on white also in the dark theme', async () => {
    const page = await world.visit('/statistics');
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.emulateMedia({ media: 'print' });
    const color = () => page.getByRole('heading', { level: 1 }).evaluate((one) => getComputedStyle(one).color);
    await expect.poll(color).toBe('rgb(23, 26, 43)');
  });

  it('fills a sheet also from a wide window, whose width Safari goes by in print', async () => {
    const page = await world.visit(`/public/${world.scope.school_id}`);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => {
      document.body.style.width = '700px';
    });
    const widthOf = (part: string) => async () => (await page.locator(part).first().boundingBox())?.width;
    await expect.poll(widthOf('main > div')).toBeGreaterThan(600);
    await go(page, '/statistics');
    await expect.poll(widthOf('main section')).toBeGreaterThan(600);
  });

  it('leaves the button that saves a form out, which would cover the form', async () => {
    const page = await world.visit('/school', { viewport: { width: 794, height: 700 } });
    const save = page.getByRole('button', { name: 'Save changes' });
    await save.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await save.isVisible()).toBe(false);
  });

  it('leaves filters, the button for more and the choice of a view out of the directory and the statistics', async () => {
    await putPeople(world, contactsOf(60));
    const page = await world.visit('/people');
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    const { text } = await printed(page);
    expect(text).toContain('People');
    for (const left of ['Searchbyname', 'Allroles', 'Showmore']) expect(text).not.toContain(left);
    await go(page, '/statistics');
    await page.getByText('Bars').waitFor();
    const statistics = await printed(page);
    expect(statistics.text).toContain('Bytype');
    expect(statistics.text).not.toContain('Bars');
  });

  it('cuts no row of a list in two, also in Safari, which cuts rows within a grid', async () => {
    await putPeople(world, [contactOf(1)]);
    const about = { subject: 'Lunch', body: 'Pasta.', channels: ['in_app'] };
    await world.call('POST', '/api/v1/operations/messages', about);
    const page = await world.visit('/people', { as: { ...STAFF, user_id: contactOf(1).user_id } });
    await page.emulateMedia({ media: 'print' });
    const pages = { '/people': 'People', '/ops': 'Delivery', '/inbox': 'Inbox' };
    for (const [path, name] of Object.entries(pages)) {
      await go(page, path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const row = page.locator('ul.divide-y > li').first();
      await row.waitFor();
      const layouts = await row.evaluate((one) => {
        const around: string[] = [];
        for (let at = one.parentElement; at?.id !== 'main' && at; at = at.parentElement)
          around.push(getComputedStyle(at).display);
        return [getComputedStyle(one).breakInside, ...new Set(around)];
      });
      expect([path, ...layouts]).toEqual([path, 'avoid', 'block']);
    }
  });

  it('prints an attendance sheet by name with class, phone and space to sign, also of rows not loaded before, and says if these can’t be loaded', async () => {
    const people = Array.from({ length: 120 }, (_, at) =>
      contactOf(at, {
        name: `Žák ${String(at).padStart(3, '0')}`,
        class_ids: ['class-5a'],
        phone: `+420601000${100 + at}`,
      }),
    );
    await putPeople(world, people);
    const id = await createEvent(world, { ...CONCERT, ...limited(120) });
    await registerAll(world, id, [...people.map(({ user_id }) => user_id), 'waiting']);
    const page = await world.visit(`/events/${id}/registrations`);
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', 'yes');
    });
    page.expectFaults(/500/);
    await page.route(/registrations\?.*cursor=/, (route) => route.fulfill({ status: 500, json: {} }));
    const print = page.getByRole('button', { name: 'Print attendance sheet' });
    await print.click();
    await page.getByRole('region', { name: 'Notices' }).getByRole('alert').waitFor();
    await page.unrouteAll();
    await print.click();
    await page.locator('html[data-printed]').waitFor();
    const { text } = await printed(page);
    for (const { name, phone } of people) expect(text).toContain(bare(`${name}5A${phone}`));
    for (const head of ['Attendancesheet', 'Class', 'Phone', 'Signature']) expect(text).toContain(head);
    for (const left of ['waiting', 'Export', 'placestaken']) expect(text).not.toContain(left);
  });
});
