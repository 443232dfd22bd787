import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { triggerOf } from '../../../src/notifications/policy/trigger.ts';
import { E, provideHttp, type Served, STAFF, type Who } from '../../support/http/http-app.ts';
import { factsOf, item, mustAgree, person, read, send } from './reports.ts';

const served = await provideHttp();

describe('reported registrations', () => {
  it('take seats in order and then join the waitlist', async () => {
    const registrations = [person('c'), person('a'), person('b', 'pending'), person('d', 'waitlisted')];
    const { body } = await send(served, item(1, { registrations }, { max_attendees: 2, waitlist_enabled: true }));
    expect(body.items[0].left_out).toEqual([{ registration_id: 'c', code: 'event_full', status: 'waitlisted' }]);
    const by = Object.fromEntries(
      (await served.tables.registrations()).map((row) => [row.origin?.external_id, row.status]),
    );
    expect(by).toEqual({ a: 'confirmed', b: 'pending', c: 'waitlisted', d: 'waitlisted' });
    expect((await read(served)).body).toMatchObject({ current_attendees: 2, available_spots: 0, waitlist_count: 2 });
    await mustAgree(served);
    // The seat that becomes free is c's: it has one there.
    await send(
      served,
      item(2, { registrations: [person('a', 'cancelled')] }, { max_attendees: 2, waitlist_enabled: true }),
    );
    const after = Object.fromEntries(
      (await served.tables.registrations()).map((row) => [row.origin?.external_id, row.status]),
    );
    expect(after).toEqual({ a: 'cancelled', b: 'pending', c: 'confirmed', d: 'waitlisted' });
    await mustAgree(served);
  });

  it('are as the latest report says, also if the clock of the other service is ahead', async () => {
    const ahead = (id: string, seconds: number, status: string) => {
      const occurred_at = new Date(served.now.at.getTime() + seconds * 1_000).toISOString();
      return item(1, { id, occurred_at, registrations: [person('a', status)] });
    };
    await send(served, ahead('report-b', 10, 'confirmed'), ahead('report-a', 20, 'cancelled'));
    expect((await served.tables.registrations()).map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('keep waiting while the event is hidden', async () => {
    const event = { max_attendees: 1, waitlist_enabled: true, is_active: false };
    await send(served, item(1, { registrations: [person('a'), person('b', 'waitlisted')] }, event));
    const left = [person('a', 'cancelled')];
    await send(served, item(2, { registrations: left }, event));
    expect((await read(served)).body).toMatchObject({ current_attendees: 0, waitlist_count: 1 });
    await send(served, item(3, {}, { ...event, is_active: true }));
    expect((await read(served)).body).toMatchObject({ current_attendees: 1, waitlist_count: 0 });
    await mustAgree(served);
  });

  it('of the same time take seats in the order of their ids there', async () => {
    const created_at = '2026-07-01T08:00:00.000Z';
    const registrations = Array.from({ length: 12 }, (_, n) => person(`r-${12 - n}`, 'confirmed', { created_at }));
    const { body } = await send(served, item(1, { registrations }, { max_attendees: 9, waitlist_enabled: true }));
    const left = body.items[0].left_out.map((one: { registration_id: string }) => one.registration_id);
    expect(left).toEqual(['r-12', 'r-11', 'r-10']);
    const waiting = (await served.tables.registrations()).filter(({ status }) => status === 'waitlisted');
    expect(Object.fromEntries(waiting.map((row) => [row.origin?.external_id, row.waitlist_number]))).toEqual({
      'r-10': 1,
      'r-11': 2,
      'r-12': 3,
    });
  });

  it('count towards the attendance rate', async () => {
    const came = { checked_in_at: '2026-08-20T18:00:00.000Z' };
    const registrations = [person('a', 'confirmed', came), person('b'), person('c'), person('d', 'cancelled', came)];
    await send(served, item(1, { registrations }, { status: 'in_progress' }));
    await mustAgree(served);
    const counts = () => served.ask(STAFF, 'GET', `${E}/concert-7/registrations/counts`);
    expect((await counts()).body.attendance_rate).toBe(0.333);
    await send(served, item(2, { registrations: [person('c', 'confirmed', came)] }, { status: 'in_progress' }));
    await mustAgree(served);
    expect((await counts()).body.attendance_rate).toBe(0.667);
  });

  it('stay checked in at the door if a later report says nothing of that', async () => {
    const report = (version: number, more = {}) =>
      send(served, item(version, { registrations: [person('a', 'confirmed', more)] }, { status: 'in_progress' }));
    await report(1);
    const [row] = await served.tables.registrations();
    const url = `${E}/concert-7/registrations`;
    expect((await served.ask(STAFF, 'POST', `${url}/${row?.id}/check_in`)).status).toBe(200);
    const rate = async () => (await served.ask(STAFF, 'GET', `${url}/counts`)).body.attendance_rate;
    await report(2);
    expect(await rate()).toBe(1);
    await mustAgree(served);
    await report(3, { checked_in_at: null });
    expect(await rate()).toBe(0);
  });

  it('get no seat in a full event without a waitlist until one is enabled', async () => {
    const two = { registrations: [person('a'), person('b')] };
    const { body } = await send(served, item(1, two, { max_attendees: 1 }));
    expect(body.items[0].left_out).toEqual([{ registration_id: 'b', code: 'event_full', status: 'cancelled' }]);
    expect((await factsOf(served)).filter((type) => type.startsWith('registration'))).toEqual([
      'registration.confirmed',
    ]);
    await send(served, item(2, {}, { max_attendees: 2 }));
    expect((await factsOf(served)).filter((type) => type.startsWith('registration'))).toHaveLength(2);
    await mustAgree(served);
  });

  it('lose their seat with a message, in which no code is the reason, if the capacity falls below the seats taken', async () => {
    await send(served, item(1, { registrations: [person('a'), person('b')] }, { max_attendees: 2 }));
    await send(served, item(2, {}, { max_attendees: 1 }));
    const lost = (await served.tables.facts()).filter(({ type }) => type === 'registration.cancelled');
    expect(lost.map((fact) => [triggerOf(fact), fact.data])).toMatchObject([
      ['registration.cancelled', { user_id: 'user-b', reason: null }],
    ]);
    await mustAgree(served);
  });

  it('never take the seats of people who registered here, and give one seat per person', async () => {
    await send(served, item(1, {}, { max_attendees: 2, waitlist_enabled: true }));
    const eva: Who = { user_id: 'user-a', roles: ['parent'], permissions: ['events.view'] };
    const here = await served.ask(eva, 'POST', `${E}/concert-7/registrations`, { payload: { kind: 'attendee' } });
    expect(here).toMatchObject({ status: 201, body: { status: 'confirmed' } });
    const { body } = await send(
      served,
      item(2, { registrations: [person('a'), person('b'), person('c')] }, { max_attendees: 2, waitlist_enabled: true }),
    );
    expect(body.items[0].left_out).toEqual([
      { registration_id: 'a', code: 'already_registered', status: 'cancelled' },
      { registration_id: 'c', code: 'event_full', status: 'waitlisted' },
    ]);
    await mustAgree(served);
  });

  it('stay as they were changed here until a report names them', async () => {
    const event = { max_attendees: 1, waitlist_enabled: true };
    await send(served, item(1, { registrations: [person('a', 'pending'), person('b', 'waitlisted')] }, event));
    const statuses = async () =>
      Object.fromEntries((await served.tables.registrations()).map((row) => [row.origin?.external_id, row.status]));
    const [a, b] = (await served.tables.registrations()).sort((one, two) => (one.user_id < two.user_id ? -1 : 1));
    const change = (id = '', action = '') =>
      served.ask(STAFF, 'POST', `${E}/concert-7/registrations/${id}/${action}`, { payload: {} });
    await change(a?.id, 'confirm');
    await send(served, item(2, {}, { ...event, title: 'Spring concert' }));
    expect(await statuses()).toEqual({ a: 'confirmed', b: 'waitlisted' });
    await change(a?.id, 'cancel');
    await send(served, item(3, {}, event));
    expect(await statuses()).toEqual({ a: 'cancelled', b: 'confirmed' });
    await change(b?.id, 'cancel');
    await send(served, item(4, { registrations: [person('b')] }, event));
    expect(await statuses()).toEqual({ a: 'cancelled', b: 'confirmed' });
    await mustAgree(served);
  });

  it('are accepted alone if they arrive late', async () => {
    await send(served, item(5, {}, { title: 'Newer' }));
    await send(served, item(4, { registrations: [person('a')] }));
    expect((await read(served)).body).toMatchObject({ title: 'Newer', current_attendees: 1 });
    await send(served, item(3, { registrations: [person('a', 'cancelled')] }));
    expect((await read(served)).body.current_attendees).toBe(1);
  });
});

const EVENT = fc.record({
  title: fc.constantFrom('Concert', 'Play'),
  status: fc.constantFrom('draft', 'scheduled', 'published', 'postponed', 'cancelled'),
  start_time: fc.constantFrom('17:00', '18:00'),
  max_attendees: fc.constantFrom(null, 1, 2, 4),
  waitlist_enabled: fc.boolean(),
});
const REGISTRATIONS = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.constantFrom('confirmed', 'pending', 'waitlisted', 'cancelled'),
  ),
  { selector: ([name]) => name },
);

it('gives the same result for served and repeated items', async () => {
  // The end state without what depends on the order: times, counts of changes and waitlist numbers.
  const endOf = async (served: Served) => {
    await mustAgree(served);
    const { body } = await read(served);
    const { title, status, start_time, max_attendees, current_attendees, waitlist_count } = body;
    const registrations = (await served.tables.registrations())
      .map(({ user_id, status: now, created_at }) => [user_id, now, created_at.toISOString()].join(' '))
      .sort();
    return { title, status, start_time, max_attendees, current_attendees, waitlist_count, registrations };
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(EVENT, REGISTRATIONS), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(1_000), { minLength: 16, maxLength: 16 }),
      async (history, dice) => {
        const items = history.map(([event, registrations], i) =>
          item(i + 1, { registrations: registrations.map(([name, status]) => person(name, status)) }, event),
        );
        await served.clean();
        for (const one of items) await send(served, one);
        const wanted = await endOf(served);
        const doubled = [...items, ...items].map((one, i) => ({ one, at: dice[i] ?? 0 })).sort((a, b) => a.at - b.at);
        await served.clean();
        const half = (dice.at(-1) ?? 0) % doubled.length;
        await send(served, ...doubled.slice(0, half + 1).map(({ one }) => one));
        for (const { one } of doubled.slice(half + 1)) await send(served, one);
        expect(await endOf(served)).toEqual(wanted);
      },
    ),
    { numRuns: 5 },
  );
});
