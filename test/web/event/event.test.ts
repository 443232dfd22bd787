import { beforeAll, expect, it } from 'vitest';
import { contactOf } from '../../support/world.ts';
import { axeFaults, describeWeb, openSite, PARENT, type Site, STUDENT } from '../browser.ts';

const E = '/api/v1/operations/events';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Day and time of an instant in UTC, the zone of this school. */
const wall = (instant: number) => {
  const text = new Date(instant).toISOString();
  return [text.slice(0, 10), text.slice(11, 16)] as const;
};

describeWeb('the event page', () => {
  let world: Site;
  const contact = { email: 'family@people.example', phone: null };

  async function make(more: Record<string, unknown> = {}, then: [string, object?][] = [['publish']]): Promise<string> {
    const [date] = wall(Date.now() + 20 * DAY_MS);
    const ordinary = { title: 'Concert', event_type: 'cultural', visibility: 'internal', timezone: 'UTC' };
    const times = { start_date: date, end_date: date, start_time: '18:00', end_time: '20:00' };
    const { body } = await world.call('POST', E, { ...ordinary, ...times, ...more });
    for (const [action, given] of then) {
      const done = await world.call('POST', `${E}/${body.id}/${action}`, given ?? {});
      expect(done.status, JSON.stringify(done.body)).toBe(200);
    }
    return body.id as unknown as string;
  }
  const from = (start: number, end: number) => {
    const [[start_date, start_time], [end_date, end_time]] = [wall(start), wall(end)];
    return { start_date, start_time, end_date, end_time };
  };
  const limited = (seats: number, more: Record<string, unknown> = {}) => ({
    registration_type: 'required',
    max_attendees: seats,
    registration_deadline: new Date(Date.now() + 10 * DAY_MS).toISOString(),
    waitlist_enabled: true,
    ...more,
  });
  const register = (id: string, user_id: string) =>
    world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id, contact });

  beforeAll(async () => {
    world = await openSite();
    await world.call('PUT', '/api/v1/operations/school', { name: 'Lipová', timezone: 'UTC', locale: 'en' });
    const people = [
      contactOf(1, { user_id: 'parent-1', name: 'Petr Novák' }),
      contactOf(2, { user_id: 'student-1', name: 'Eliška Nováková' }),
      contactOf(3, { user_id: 'staff-1', name: 'Hana Dvořáková' }),
    ];
    for (const { user_id, tenant_id: _, school_id: __, updated_at: ___, ...body } of people)
      await world.call('PUT', `/api/v1/operations/contacts/${user_id}`, body);
  });

  it('counts down by the server’s clock on a device whose clock is three days ahead', async () => {
    const now = Date.now();
    const id = await make(from(now + 52.5 * HOUR_MS, now + 54 * HOUR_MS));
    const page = await world.visit(`/events/${id}`, { deviceTime: now + 3 * DAY_MS });
    await expect.poll(() => page.getByTestId('banner').textContent()).toBe('Starts in 2 days 4 h');
    await page.leave();
  });

  it('closes registration at the deadline by the server’s clock without a reload', async () => {
    const closes = (ms: number) => ({ registration_deadline: new Date(Date.now() + ms).toISOString() });
    const id = await make(limited(5, closes(HOUR_MS)));
    const deviceTime = Date.now() - 2 * DAY_MS;
    const page = await world.visit(`/events/${id}`, { as: STUDENT, live: true, deviceTime });
    await page.getByText(/Registration closes in (1 h|59 min|58 min|57 min)/).waitFor();
    await page.getByRole('button', { name: 'Register' }).waitFor();
    // Bring the deadline forward only now, so that a slow machine does not miss it.
    expect((await world.call('PATCH', `${E}/${id}`, closes(4_000))).status).toBe(200);
    await page.getByText('Registration has closed').waitFor();
    await page.getByText('The registration deadline has passed.').waitFor();
    expect(await page.getByRole('button', { name: 'Register' }).count()).toBe(0);
    await page.leave();
  });

  it('shows the schedule in the event’s zone and in the user’s', async () => {
    const times = { start_date: '2027-03-10', end_date: '2027-03-10', start_time: '18:00', end_time: '20:00' };
    const id = await make({ ...times, timezone: 'Europe/Prague' });
    const page = await world.visit(`/events/${id}`, { timezoneId: 'Asia/Tokyo' });
    const when = page.getByRole('region', { name: 'When' });
    await when.getByText('18:00–20:00 (CET)').waitFor();
    expect(await when.textContent()).toContain('Your time (GMT+9): Thu 11 Mar, 02:00–04:00');
    await page.leave();
    const near = await world.visit(`/events/${id}`);
    await near.getByText('18:00–20:00 (CET)').waitFor();
    expect(await near.getByText('Your time').count()).toBe(0);
    await near.leave();
  });

  it('registers and cancels a child with the keyboard alone', async () => {
    const id = await make(limited(5));
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    const box = page.getByRole('region', { name: 'Registration' });
    await box.getByText('5 of 5 places left').waitFor();
    await box.getByRole('button', { name: 'Register' }).focus();
    await page.keyboard.press('Enter');
    // The child is preselected.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Two chairs, please');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await box.getByText('Eliška Nováková is registered').waitFor();
    await box.getByText('4 of 5 places left').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Eliška Nováková is registered');
    const { body } = await world.call('GET', `${E}/${id}/registrations`);
    expect(body.data).toMatchObject([{ user_id: 'student-1', notes: 'Two chairs, please', status: 'confirmed' }]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel registration' }).click();
    await box.getByText('5 of 5 places left').waitFor();
    await expect.poll(() => box.locator('[data-registration]').count()).toBe(0);
    await page.leave();
  });

  it('gives the last place to one of two browsers and offers the other the waitlist', async () => {
    const id = await make(limited(1));
    const [one, two] = await Promise.all([
      world.visit(`/events/${id}`, { as: STUDENT }),
      world.visit(`/events/${id}`, { as: { user_id: 'student-2', roles: ['student'] } }),
    ]);
    for (const page of [one, two]) {
      page.expectFaults(/409/);
      await page.getByRole('button', { name: 'Register' }).click();
    }
    await Promise.all([one, two].map((page) => page.locator('form').getByRole('button', { name: 'Register' }).click()));
    const outcome = (page: typeof one) =>
      Promise.race([
        page
          .getByText('You are registered')
          .waitFor()
          .then(() => 'registered'),
        page
          .getByText('The last place has just been taken. Join the waitlist?')
          .waitFor()
          .then(() => 'asked'),
      ]);
    const outcomes = await Promise.all([outcome(one), outcome(two)]);
    expect([...outcomes].sort()).toEqual(['asked', 'registered']);
    const loser = outcomes[0] === 'asked' ? one : two;
    const count = async () =>
      ((await world.call('GET', `${E}/${id}/registrations`)).body.data as unknown as unknown[]).length;
    expect(await count()).toBe(1);
    await loser.getByRole('alert').getByRole('button', { name: 'Join the waitlist' }).click();
    await loser.getByText('You are number 1 on the waitlist').waitFor();
    expect(await count()).toBe(2);
    await Promise.all([one.leave(), two.leave()]);
  });

  it('explains why registration is closed, and does not invite to a cancelled event', async () => {
    const cases: [string, Record<string, unknown>, [string, object?][]][] = [
      ['No registration needed. Just come.', {}, [['publish']]],
      ['Registration opens when the event is published.', limited(3), []],
      ['Registration has closed.', limited(3), [['publish'], ['start'], ['complete']]],
      ['This event is full and has no waitlist.', limited(1, { waitlist_enabled: false }), [['publish']]],
    ];
    const page = await world.visit(`/events/${await make({}, [['publish'], ['cancel', { reason: 'Snow' }]])}`);
    await page.getByText('This event is cancelled.').waitFor();
    expect(await page.getByText('Just come').count()).toBe(0);
    for (const [words, fields, then] of cases) {
      const id = await make(fields, then);
      if (fields.waitlist_enabled === false) await register(id, 'eva');
      await page.goto(`/events/${id}`);
      await page.getByRole('region', { name: 'Registration' }).getByText(words).waitFor();
      expect(await page.getByRole('button', { name: 'Register' }).count()).toBe(0);
    }
    await page.leave();
  });

  it('shows the position on the waitlist, and lets another person join', async () => {
    const id = await make(limited(1));
    for (const name of ['eva', 'jan', 'student-1']) await register(id, name);
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    await page.getByText('Eliška Nováková is number 2 on the waitlist').waitFor();
    await page.getByText('Full, 2 on the waitlist').waitFor();
    await page.getByRole('button', { name: 'Register myself' }).click();
    await page.locator('form').getByRole('button', { name: 'Join the waitlist' }).click();
    await page.getByText('You are number 3 on the waitlist').waitFor();
    await page.leave();
  });

  it('asks attendees of a postponed event whether they keep their place', async () => {
    const id = await make(limited(4));
    await register(id, 'student-1');
    await world.call('POST', `${E}/${id}/postpone`, { reason: 'Snow', new_start_date: '2027-04-01' });
    const page = await world.visit(`/events/${id}`, { as: STUDENT });
    await expect
      .poll(() => page.getByTestId('banner').textContent())
      .toBe('This event is postponed.New date: Thursday, 1 April 2027. Snow');
    await page.getByRole('button', { name: 'Keep my place' }).click();
    await page.getByText('You keep your place.').waitFor();
    await page.reload();
    await page.getByText('You keep your place.').waitFor();
    await page.getByRole('button', { name: 'Give up my place' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Give up my place' }).click();
    await expect.poll(() => page.locator('[data-registration]').count()).toBe(0);
    await page.leave();
  });

  it('previews who an action notifies, and lists a forbidden action with the reason, but none that does not fit the status', async () => {
    const id = await make(limited(4, { title: 'Concert in the hall' }));
    for (const name of ['eva', 'jan']) await register(id, name);
    const page = await world.visit(`/events/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    const refused = page.getByRole('menuitem', { name: /^Delete/ });
    expect(await refused.textContent()).toContain('Not possible while places are taken');
    expect(await page.getByRole('menuitem', { name: 'End now' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Cancel event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel event: Concert in the hall' });
    await dialog.getByText('2 people will be notified.').waitFor();
    const button = dialog.getByRole('button', { name: 'Cancel event and notify 2 people' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('The hall is flooded.');
    await button.click();
    await expect
      .poll(() => page.getByTestId('banner').textContent())
      .toBe('This event is cancelled.The hall is flooded.');
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Cancelled: The hall is flooded.').waitFor();
    expect(await history.textContent()).toContain('Hana Dvořáková');
    await page.leave();
  });

  it('shows staff the delivery report with reasons', async () => {
    const id = await make({ send_notifications: false });
    const row = {
      ...world.scope,
      event_id: id,
      fact_id: 'f',
      trigger: 'event.published',
      channel: 'email',
      name: 'Eva Malá',
    };
    const delivery = { also: [], on_behalf_of: [], registration_ids: [], due_at: new Date(), created_at: new Date() };
    await world.database.collection('deliveries').insertMany([
      { ...row, ...delivery, _id: `${id}-1`, user_id: 'p-1', status: 'sent', reason: null },
      {
        ...row,
        ...delivery,
        _id: `${id}-2`,
        user_id: 'p-2',
        status: 'skipped',
        reason: 'no_contact',
        name: 'Jan Král',
      },
    ] as never);
    const page = await world.visit(`/events/${id}`);
    const report = page.getByRole('region', { name: 'Delivery report' });
    await report.getByText('1 × no contact details').waitFor();
    await report.getByRole('button', { name: 'Not reached 1' }).click();
    await report.getByText('no contact details for this channel').waitFor();
    expect(await report.getByText('Eva Malá').count()).toBe(0);
    await report.getByRole('button', { name: /Jan Král/ }).click();
    await page.getByRole('dialog', { name: 'Notifications for Jan Král' }).getByRole('listitem').first().waitFor();
    await page.leave();
    const parent = await world.visit(`/events/${id}`, { as: PARENT });
    await parent.getByText('No registration needed').waitFor();
    expect(await parent.getByText('Delivery report').count()).toBe(0);
    await parent.leave();
  });

  it('passes axe with every field filled, and downloads the event as a calendar file', async () => {
    const id = await make(
      limited(4, {
        description: 'Look at https://school.example, it is all there.',
        location: {
          name: 'Hall',
          room: '1',
          isVirtual: true,
          virtualLink: 'https://meet.example/1',
          mapLink: 'https://maps.example/1',
        },
        attachments: [{ name: 'Programme.pdf', url: 'https://school.example/p.pdf', size: 182_000 }],
        organizer: { type: 'department', name: 'Music', email: 'music@school.example' },
        tags: ['music'],
        is_featured: true,
      }),
    );
    await register(id, 'student-1');
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    await page.getByRole('button', { name: 'Register myself' }).click();
    await page.getByText('Music', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Add to my calendar' }).click();
    expect((await download).suggestedFilename()).toBe('event.ics');
    await page.leave();
  });
});
