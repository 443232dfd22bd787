import { expect, it } from 'vitest';
import { contactOf, E } from '../../support/world.ts';
import { axeFaults, describeWeb, go, newName, PHONE, provideSite, type Visit } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';
import { CONCERT, limited, register } from './concert.ts';

const MOTHER = { user_id: 'mother', roles: ['parent' as const], children: ['eva', 'jan'] };
const FATHER = { user_id: 'father', roles: ['parent' as const], children: ['eva'] };

describeWeb('a family', () => {
  const world = provideSite('UTC', [
    contactOf(1, { user_id: 'eva', name: 'Eva Malá', roles: ['student'], class_ids: ['class-5a'] }),
    contactOf(2, { user_id: 'jan', name: 'Jan Malý', roles: ['student'], class_ids: ['class-6b'] }),
  ]);

  const open = provideSharedPage(world, { as: MOTHER, live: true });
  const make = (more: object = {}) => createEvent(world, { ...CONCERT, ...more });
  const agenda = `/events?view=agenda&date=${CONCERT.start_date}`;
  const month = `/events?view=month&date=${CONCERT.start_date}`;
  const bar = (page: Visit) => page.getByTestId('bar');
  const controls = (page: Visit) => bar(page).getByRole('button').allTextContents();

  it('registers, joins the waitlist and cancels with the bar of a phone, which covers nothing', async () => {
    const id = await make({ title: newName('Trip'), description: 'Bring boots. '.repeat(80), ...limited(1) });
    const page = await world.visit(`/events/${id}`, { as: FATHER, viewport: PHONE });
    await expect.poll(() => controls(page)).toEqual(['Register']);
    expect(await bar(page).textContent()).toContain('1 of 1 place left');
    expect(await bar(page).textContent()).toContain('Register by');
    const box = await bar(page).boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(PHONE.height);
    expect((await bar(page).getByRole('button').boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await axeFaults(page, [PHONE])).toEqual([]);
    // At the end of the page the bar stands below the last section.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const last = page.locator('article section').last();
    await expect
      .poll(async () => {
        const [above, below] = await Promise.all([last.boundingBox(), bar(page).boundingBox()]);
        return above !== null && below !== null && above.y + above.height <= below.y;
      })
      .toBe(true);

    await bar(page).getByRole('button', { name: 'Register' }).click();
    const form = page.locator('form');
    // The only child is preselected.
    await form.getByRole('checkbox', { name: 'Eva Malá', checked: true }).waitFor();
    expect(await form.getByRole('checkbox').count()).toBe(2);
    await form.getByRole('button', { name: 'Register' }).click();
    await expect.poll(() => controls(page)).toEqual(['Cancel registration']);
    // What a notice says must not hide what to do next.
    const notice = await page.getByRole('region', { name: 'Notices' }).getByRole('status').first().boundingBox();
    const top = (await bar(page).boundingBox())?.y ?? 0;
    expect((notice?.y ?? top) + (notice?.height ?? 0)).toBeLessThan(top);
    expect(await bar(page).textContent()).toContain('Eva Malá is registered');
    const other = await world.visit(`/events/${id}`, { as: { ...MOTHER, children: ['jan'] }, viewport: PHONE });
    await expect.poll(() => controls(other)).toEqual(['Join the waitlist']);
    await other.leave();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    // The button that confirms is below the finger then.
    await bar(page)
      .getByRole('button', { name: 'Cancel registration' })
      .dblclick({ position: { x: 280, y: 20 } });
    expect(sent).not.toContain('POST');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel registration' }).click();
    await expect.poll(() => controls(page)).toEqual(['Register']);
  });

  it('finds no bar once registration has closed, and none on a wide screen', async () => {
    const closed = await make({ title: newName('Closed'), ...limited(1, { waitlist_enabled: false }) });
    await register(world, closed, 'another-person');
    const page = await world.visit(`/events/${closed}`, { as: FATHER, viewport: PHONE });
    await page.getByText('This event is full and has no waitlist.').waitFor();
    expect(await bar(page).isVisible()).toBe(false);
    await go(page, `/events/${await make({ title: newName('Open'), ...limited(3) })}`);
    await expect.poll(() => controls(page)).toEqual(['Register']);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('region', { name: 'Registration' }).getByRole('button', { name: 'Register' }).waitFor();
    expect(await bar(page).isVisible()).toBe(false);
  });

  it('sees who of them is registered in calendar, agenda and search, without a reload', async () => {
    const title = newName('Play');
    const id = await make({ title, ...limited(1) });
    const page = await open(agenda);
    const line = page.locator('[data-entry]', { hasText: title });
    await line.waitFor();
    expect(await line.textContent()).not.toContain('Eva');
    await register(world, id, 'eva');
    await line.getByText('Eva Malá is registered').waitFor();
    await register(world, id, 'jan');
    await line.getByText('Jan Malý is on the waitlist').waitFor();
    await go(page, month);
    await page.locator(`[data-entry="${id}"]`).waitFor();
    expect(await page.locator(`[data-entry="${id}"]`).getAttribute('aria-label')).toMatch(
      /Eva Malá is registered, Jan Malý is on the waitlist$|Jan Malý is on the waitlist, Eva Malá is registered$/,
    );
    await go(page, `${month}&q=${encodeURIComponent(title)}`);
    await line.getByText('Eva Malá is registered').waitFor();
    const awaited = await make({ title: newName('Approved'), ...limited(1, { requires_approval: true }) });
    await register(world, awaited, 'eva');
    await go(page, month);
    const marks = page.locator(`[data-entry="${awaited}"] svg`);
    const HOURGLASS = 'M5 22h14';
    await expect.poll(() => marks.last().innerHTML()).toContain(HOURGLASS);
    const staff = await world.visit(agenda);
    await staff.locator('[data-entry]', { hasText: title }).waitFor();
    expect(await staff.getByText('is registered').count()).toBe(0);
  });

  it('reads that a child was registered once the event is cancelled or over, and that a cancellation needs nothing of them', async () => {
    const [cancelled, over] = [newName('Cancelled'), newName('Over')];
    const ids = [await make({ title: cancelled, ...limited(1) }), await make({ title: over, ...limited(1) })] as const;
    for (const id of ids) for (const child of ['eva', 'jan']) await register(world, id, child);
    const page = await open(`/events/${ids[1]}`);
    const box = page.getByRole('region', { name: 'Registration' });
    await box.getByText('You will get a place as soon as one is free').waitFor();
    await world.call('POST', `${E}/${ids[1]}/start`);
    await box.getByText('You will get a place as soon as one is free').waitFor({ state: 'detached' });
    await box.getByText('Jan Malý is number 1 on the waitlist').waitFor();
    await world.call('POST', `${E}/${ids[1]}/complete`);
    await box.getByText('Eva Malá was registered').waitFor();
    await box.getByText('Jan Malý: registration not confirmed').waitFor();
    expect(await box.getByText('You don’t need to do anything.').count()).toBe(0);
    expect((await world.call('POST', `${E}/${ids[0]}/cancel`, { reason: 'Snow' })).status).toBe(200);
    await go(page, `/events/${ids[0]}`);
    await box.getByText('Eva Malá was registered').waitFor();
    expect(await box.getByText('You don’t need to do anything.').count()).toBe(2);
    await go(page, agenda);
    const line = (title: string) => page.locator('[data-entry]', { hasText: title });
    await line(over).getByText('Eva Malá was registered').waitFor();
    expect(await line(over).textContent()).not.toContain('Jan');
    await line(cancelled).waitFor();
    expect(await line(cancelled).textContent()).not.toContain('Eva');
    await go(page, month);
    const chip = page.locator(`[data-entry="${ids[0]}"]`);
    await expect.poll(() => chip.getAttribute('aria-label')).toMatch(/Cancelled$/);
  });

  it('filters the calendar by child', async () => {
    const [own, other, all] = [newName('Of 5A'), newName('Of 6B'), newName('Of all')];
    await make({ title: own, class_id: 'class-5a' });
    await make({ title: other, class_id: 'class-6b' });
    await make({ title: all });
    const page = await open(agenda);
    const shows = async () =>
      (
        await Promise.all([own, other, all].map((title) => page.locator('[data-entry]', { hasText: title }).count()))
      ).join();
    await expect.poll(shows).toBe('1,1,1');
    await page.getByRole('button', { name: 'My children' }).click();
    await page.getByRole('checkbox', { name: 'Eva Malá' }).check();
    await expect.poll(shows).toBe('1,0,1');
    expect(page.url()).toContain('child=eva');
    await page.getByRole('checkbox', { name: 'Eva Malá' }).uncheck();
    await page.getByRole('checkbox', { name: 'Jan Malý' }).check();
    await expect.poll(shows).toBe('0,1,1');
    const father = await world.visit(agenda, { as: FATHER, viewport: PHONE });
    await father.locator('[data-entry]', { hasText: other }).waitFor();
    const chip = father.getByRole('button', { name: 'My children' });
    expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await chip.click();
    await expect.poll(() => father.locator('[data-entry]', { hasText: other }).count()).toBe(0);
    expect(await father.locator('[data-entry]', { hasText: own }).count()).toBe(1);
  });

  it('sees no history, no usual status and no filters of staff', async () => {
    const id = await make({ title: newName('Quiet'), ...limited(4) });
    const page = await open(`/events/${id}`);
    await page.getByRole('region', { name: 'Registration' }).getByText('4 of 4 places left').waitFor();
    for (const name of ['History', 'Attendees', 'Delivery report'])
      expect(await page.getByRole('region', { name }).count()).toBe(0);
    expect(await page.getByText('Published', { exact: true }).count()).toBe(0);
    expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Snow' })).status).toBe(200);
    await page.reload();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await go(page, agenda);
    await page.getByRole('button', { name: 'Featured' }).waitFor();
    for (const name of ['Status', 'My events']) expect(await page.getByRole('button', { name }).count()).toBe(0);
  });
});
