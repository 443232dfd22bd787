import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { E, type Served, STAFF, serve, type Who } from '../../support/http/http-app.ts';

const SOURCE: Who = { user_id: 'lifecycle', roles: [], permissions: ['events.ingest'] };
const INGEST = '/api/v1/ingest';

type Body = Record<string, unknown>;

const snapshot = (version: number, more: Body = {}): Body => ({
  id: 'concert-7',
  version,
  status: 'published',
  title: 'Autumn concert',
  event_type: 'cultural',
  start_date: '2026-10-16',
  end_date: '2026-10-16',
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'UTC',
  visibility: 'internal',
  registration_type: 'optional',
  ...more,
});

let reports = 0;
const item = (version: number, more: Body = {}, event: Body = {}): Body => ({
  id: `report-${++reports}`,
  type: 'event.published',
  occurred_at: new Date(Date.UTC(2026, 7, 1, 8, version)).toISOString(),
  event: snapshot(version, event),
  ...more,
});

const person = (id: string, status = 'confirmed', more: Body = {}): Body => ({
  id,
  user_id: `user-${id}`,
  kind: 'attendee',
  status,
  created_at: `2026-07-01T08:00:0${id.length}.${String(id.charCodeAt(id.length - 1)).padStart(3, '0')}Z`,
  ...more,
});

const send = (served: Served, ...items: unknown[]) => served.ask(SOURCE, 'POST', INGEST, { payload: { items } });
const factsOf = async ({ tables }: Served) => (await tables.facts()).map(({ type }) => type);
const read = (served: Served, id = 'concert-7') => served.ask(STAFF, 'GET', `${E}/${id}`);

async function mustAgree({ tables }: Served): Promise<void> {
  for (const event of await tables.events()) {
    const rows = (await tables.registrations()).filter((row) => row.event_id === event.id);
    const seats = rows.filter(({ status }) => status === 'confirmed' || status === 'pending').length;
    expect(event.current_attendees).toBe(seats);
    expect(event.waitlisted).toBe(rows.filter(({ status }) => status === 'waitlisted').length);
    expect(seats).toBeLessThanOrEqual(event.max_attendees ?? seats);
    const people = rows.filter(({ status }) => status !== 'cancelled').map(({ user_id }) => user_id);
    expect(new Set(people).size).toBe(people.length);
  }
}

describe('a report of another service', () => {
  it('creates an event with facts that both ids find', async () => {
    const served = await serve();
    const answer = await send(served, item(3));
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0, rejected: 0 } });
    const { event_id } = answer.body.items[0];
    expect(await factsOf(served)).toEqual(['event.created', 'event.published']);
    for (const id of ['concert-7', event_id]) {
      expect(await read(served, id)).toMatchObject({
        status: 200,
        body: { id: event_id, external_id: 'concert-7', status: 'published', published_at: '2026-08-01T08:03:00.000Z' },
      });
    }
    const cancelled = await served.ask(STAFF, 'POST', `${E}/concert-7/cancel`, { payload: { reason: 'Rain' } });
    expect(cancelled).toMatchObject({ status: 200, body: { id: event_id, status: 'cancelled' } });
  });

  it('is processed once', async () => {
    const served = await serve();
    const one = item(3);
    expect((await send(served, one, one)).body.items.map(({ status }: Body) => status)).toEqual([
      'accepted',
      'duplicate',
    ]);
    const before = await served.dump();
    expect((await send(served, one)).body).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await served.dump()).toBe(before);
  });

  it('never overwrites a newer report', async () => {
    const served = await serve();
    await send(served, item(5, { type: 'event.cancelled' }, { status: 'cancelled', cancellation_reason: 'Rain' }));
    const late = await send(served, item(4));
    expect(late.body).toMatchObject({ accepted: 1, items: [{ status: 'accepted', superseded: true }] });
    expect((await read(served)).body).toMatchObject({ status: 'cancelled', cancellation_reason: 'Rain' });
    expect(await factsOf(served)).toEqual(['event.created', 'event.cancelled']);
    expect((await served.tables.ingested()).map(({ superseded }) => superseded)).toEqual([false, true]);
  });

  it('derives facts from the changes, whatever its type and even if a report was missed', async () => {
    const served = await serve();
    await send(served, item(1, { type: 'event.created' }, { status: 'draft' }));
    await send(served, item(2, { type: 'event.edited' }, { title: 'Spring concert' }));
    await send(served, item(3, {}, { title: 'Spring concert', start_time: '17:00' }));
    await send(served, item(4, {}, { title: 'Summer concert', start_time: '17:00' }));
    const postponed = { start_date: '2026-10-17', end_date: '2026-10-17', postponed_to: '2026-10-17T18:00:00Z' };
    await send(served, item(5, {}, { ...postponed, status: 'postponed', postponement_reason: 'Rain' }));
    await send(served, item(6, {}, { ...postponed, status: 'completed' }));
    await send(served, item(7, { type: 'event.deleted' }, { ...postponed, status: 'completed' }));
    expect(await factsOf(served)).toEqual([
      'event.created',
      'event.published',
      'event.changed',
      'event.edited',
      'event.postponed',
      'event.completed',
      'event.deleted',
    ]);
    expect((await read(served)).status).toBe(404);
    expect((await send(served, item(6))).body.items[0]).toMatchObject({ status: 'accepted', superseded: true });
    expect((await read(served)).status).toBe(404);
  });

  it('is rejected alone with all its faults', async () => {
    const served = await serve();
    const faulty = {
      id: 'broken',
      type: 'event.exploded',
      event: snapshot(1, { title: '', start_date: '2026-02-30' }),
    };
    const strange = item(1, {}, { end_date: '2026-10-01', tenant_id: 'another' });
    const late = item(1, {}, { end_date: '2026-10-01' });
    const { status, body } = await send(served, faulty, 7, strange, late, item(1));
    expect(status).toBe(202);
    expect(body).toMatchObject({ accepted: 1, duplicates: 0, rejected: 4 });
    const pointers = body.items.map(({ errors = [] }: Body) => (errors as Body[]).map(({ pointer }) => pointer));
    expect(pointers.map((some: string[]) => some.sort())).toEqual([
      ['/items/0/event/start_date', '/items/0/event/title', '/items/0/occurred_at', '/items/0/type'],
      ['/items/1'],
      ['/items/2/event/tenant_id'],
      ['/items/3/event/end_date'],
      [],
    ]);
    expect(body.items.map(({ id }: Body) => id).slice(0, 2)).toEqual(['broken', null]);
    // A rejected report is not stored, so its corrected version may come under the same id.
    expect((await send(served, { ...late, event: snapshot(2) })).body).toMatchObject({ accepted: 1 });
  });

  it('stays in the school of the token even if another school uses the same ids', async () => {
    const served = await serve();
    const one = item(1);
    await send(served, one);
    const elsewhere = await served.ask({ ...SOURCE, tenant_id: 't2' }, 'POST', INGEST, { payload: { items: [one] } });
    expect(elsewhere.body).toMatchObject({ accepted: 1 });
    const [ours, theirs] = await served.tables.events();
    expect(ours?.id).not.toBe(theirs?.id);
    expect((await served.ask({ ...STAFF, tenant_id: 't2' }, 'GET', `${E}/${ours?.id}`)).status).toBe(404);
    expect((await served.ask({ ...STAFF, tenant_id: 't2' }, 'GET', `${E}/concert-7`)).body.id).toBe(theirs?.id);
  });

  it('is accepted in a request of up to 500 items and 4 MiB', async () => {
    const served = await serve();
    const many = Array.from({ length: 500 }, (_, n) => item(n + 1, {}, { description: 'x'.repeat(2_000) }));
    expect((await send(served, ...many)).body).toMatchObject({ accepted: 500 });
    expect(await send(served, ...many, item(1))).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(await send(served)).toMatchObject({ status: 422 });
    const large = { id: 'x'.repeat(4 * 1024 * 1024) };
    expect(await send(served, large)).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });
});

describe('reported registrations', () => {
  it('take seats in order and then join the waitlist', async () => {
    const served = await serve();
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

  it('get no seat in a full event without a waitlist until one is enabled', async () => {
    const served = await serve();
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

  it('never take the seats of people who registered here, and give one seat per person', async () => {
    const served = await serve();
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

  it('are accepted alone if they arrive late', async () => {
    const served = await serve();
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
const ROSTER = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.constantFrom('confirmed', 'pending', 'waitlisted', 'cancelled'),
  ),
  { selector: ([name]) => name },
);

it('gives the same result for shuffled and repeated items', async () => {
  // What is left when the order no longer shows: not when, how often and under which number.
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
      fc.array(fc.tuple(EVENT, ROSTER), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(1_000), { minLength: 16, maxLength: 16 }),
      async (history, dice) => {
        const items = history.map(([event, roster], i) =>
          item(i + 1, { registrations: roster.map(([name, status]) => person(name, status)) }, event),
        );
        const inOrder = await serve();
        for (const one of items) await send(inOrder, one);
        const wanted = await endOf(inOrder);
        const doubled = [...items, ...items].map((one, i) => ({ one, at: dice[i] ?? 0 })).sort((a, b) => a.at - b.at);
        const shuffled = await serve();
        const half = (dice.at(-1) ?? 0) % doubled.length;
        await send(shuffled, ...doubled.slice(0, half + 1).map(({ one }) => one));
        for (const { one } of doubled.slice(half + 1)) await send(shuffled, one);
        expect(await endOf(shuffled)).toEqual(wanted);
      },
    ),
    { numRuns: 5 },
  );
});
