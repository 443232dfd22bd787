import { describe, expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { E, PARENT, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const person = (user_id: string): Who => ({ ...PARENT, user_id });

describe('approval', () => {
  it('is possible once, and only for staff who manage registrations', async () => {
    const url = `${E}/${(await given({ requires_approval: true })).id}/registrations`;
    const { body } = await ask(person('a'), 'POST', url, { payload: { kind: 'attendee' } });
    expect(body.status).toBe('pending');
    expect((await ask(person('a'), 'POST', `${url}/${body.id}/confirm`)).status).toBe(403);
    for (const _again of [1, 2]) {
      const confirmed = await ask(STAFF, 'POST', `${url}/${body.id}/confirm`);
      expect(confirmed).toMatchObject({ status: 200, body: { status: 'confirmed' } });
    }
    expect((await tables.facts()).filter((fact) => fact.type === 'registration.confirmed')).toHaveLength(1);
  });

  it('is refused once the event is over', async () => {
    const { id } = await given({ requires_approval: true });
    const url = `${E}/${id}/registrations`;
    const { body } = await ask(person('a'), 'POST', url, { payload: { kind: 'attendee' } });
    await tables.events.set({ status: 'completed' }, id);
    expect(await ask(STAFF, 'POST', `${url}/${body.id}/confirm`)).toMatchObject({
      status: 409,
      body: { code: 'event_not_published', current_status: 'completed' },
    });
  });

  it('is refused for waitlisted and cancelled registrations', async () => {
    const url = `${E}/${(await given({ max_attendees: 1, waitlist_enabled: true })).id}/registrations`;
    const sign = async (name: string) => (await ask(person(name), 'POST', url, { payload: { kind: 'attendee' } })).body;
    const [seat, waits] = [await sign('a'), await sign('b')];
    expect((await ask(STAFF, 'POST', `${url}/${waits.id}/confirm`)).body.code).toBe('event_full');
    const declined = await ask(STAFF, 'POST', `${url}/${seat.id}/decline`, { payload: { reason: 'Too young' } });
    expect(declined.body).toMatchObject({ status: 'cancelled', cancel_reason: 'Too young' });
    expect((await ask(STAFF, 'POST', `${url}/${seat.id}/confirm`)).body.code).toBe('registration_not_active');
    expect((await ask(STAFF, 'GET', `${url}/${waits.id}`)).body).toMatchObject({
      status: 'confirmed',
      promoted_because: 'cancelled',
      promoted_by: seat.id,
    });
  });
});

it('shows no registration under the address of another event, also not to its organizer', async () => {
  const [own, other] = [await given(), await given({ id: 'of-another', organizer_id: 'another' })];
  const { body } = await ask(PARENT, 'POST', `${E}/${other.id}/registrations`, { payload: { kind: 'attendee' } });
  const reached = async (who: Who) => (await ask(who, 'GET', `${E}/${own.id}/registrations/${body.id}`)).status;
  expect([await reached(person('organizer')), await reached(STAFF), await reached(PARENT)]).toEqual([404, 404, 404]);
});

it('cancels many registrations and lists those it skipped', async () => {
  const url = `${E}/${(await given({ max_attendees: 2, waitlist_enabled: true })).id}/registrations`;
  const sign = async (name: string) => (await ask(person(name), 'POST', url, { payload: { kind: 'attendee' } })).body;
  const [a, b, c] = [await sign('a'), await sign('b'), await sign('c')];
  const payload = { registration_ids: [a.id, b.id, b.id, 'nobody'], reason: 'A smaller bus' };
  // The organizer reads the registrations.
  for (const who of [PARENT, person('organizer')])
    expect((await ask(who, 'POST', `${url}/cancel`, { payload })).status).toBe(403);
  const done = await ask(STAFF, 'POST', `${url}/cancel`, { payload });
  expect(done).toMatchObject({
    status: 202,
    body: { cancelled: 2, left_out: [{ registration_id: 'nobody', code: 'not_found' }] },
  });
  // The waitlist worker fills two or more free seats.
  expect((await ask(STAFF, 'GET', `${url}/${c.id}`)).body.status).toBe('waitlisted');
  expect((await tables.facts()).at(-1)).toMatchObject({ type: 'seats.freed', data: { seats: 2 } });
});

it('gives the one place that it frees to the first person on the waitlist whom it does not cancel', async () => {
  const url = `${E}/${(await given({ max_attendees: 1, waitlist_enabled: true })).id}/registrations`;
  const sign = async (name: string) => (await ask(person(name), 'POST', url, { payload: { kind: 'attendee' } })).body;
  const [a, b, c] = [await sign('a'), await sign('b'), await sign('c')];
  await ask(STAFF, 'POST', `${url}/cancel`, { payload: { registration_ids: [b.id, a.id] } });
  expect((await ask(STAFF, 'GET', `${url}/${c.id}`)).body).toMatchObject({ status: 'confirmed', promoted_by: a.id });
});

it('shows staff who has left the school, since a seat stays theirs until staff cancel it', async () => {
  const url = `${E}/${(await given({})).id}/registrations`;
  for (const name of ['eva', 'tom']) await ask(person(name), 'POST', url, { payload: { kind: 'attendee' } });
  const left_at = new Date('2026-09-01T08:00:00Z');
  await tables.contacts.put(aContact('eva'));
  await tables.contacts.put(aContact('tom', { left_at }));
  const listed = await ask(STAFF, 'GET', url);
  expect(valuesOf(listed, 'left_at')).toEqual([undefined, left_at.toISOString()]);
});

it('passes over people on the waitlist who have left the school, and ends their registrations', async () => {
  const event = await given({ max_attendees: 1, waitlist_enabled: true });
  const url = `${E}/${event.id}/registrations`;
  const sign = async (name: string) => (await ask(person(name), 'POST', url, { payload: { kind: 'attendee' } })).body;
  const seat = await sign('eva');
  for (const name of ['gone', 'left', 'jan', 'tom']) await sign(name);
  const left_at = new Date('2026-09-01T08:00:00Z');
  await tables.contacts.put(aContact('gone', { left_at }), aContact('left', { left_at }), aContact('jan'));
  await ask(STAFF, 'POST', `${url}/${seat.id}/cancel`);
  const listed = await ask(STAFF, 'GET', url);
  expect(valuesOf(listed, 'status')).toEqual(['cancelled', 'cancelled', 'cancelled', 'confirmed', 'waitlisted']);
  expect((await tables.events())[0]).toMatchObject({ current_attendees: 1, waitlisted: 1 });
  const ended = (await tables.facts()).filter(
    ({ type, actor }) => type === 'registration.cancelled' && actor === 'system',
  );
  expect(ended.map(({ data }) => data)).toMatchObject([
    { user_id: 'gone', by_staff: true, freed_seat: false },
    { user_id: 'left', by_staff: true, freed_seat: false },
  ]);
});

it('lists the registrations of the caller and their children with waitlist positions', async () => {
  const { id } = await given({ max_attendees: 1, waitlist_enabled: true });
  for (const name of ['x', 'jan', 'eva'])
    await ask(person(name), 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee' } });
  const mine = await ask({ ...PARENT, children: ['jan'] }, 'GET', `${E}/${id}/registrations/mine`);
  expect(
    mine.body.data.map((row: { user_id: string; waitlist_position: number }) => [row.user_id, row.waitlist_position]),
  ).toEqual([
    ['eva', 2],
    ['jan', 1],
  ]);
  expect(mine.body.admission).toEqual({ status: 'waitlisted', code: null, detail: null });
  expect(mine.body.stage).toBe('open');
});

it.each([
  ['draft', 'before', ['cancel']],
  ['scheduled', 'before', ['cancel']],
  ['published', 'open', ['cancel']],
  ['in_progress', 'open', ['cancel', 'check_in']],
  ['postponed', 'before', ['cancel']],
  ['completed', 'over', []],
  ['cancelled', 'over', []],
] as const)(
  'shows for an event that is %s the stage of registration and the actions on one’s own place',
  async (status, stage, allowed) => {
    const event = await given({});
    const url = `${E}/${event.id}/registrations`;
    await ask(person('eva'), 'POST', url, { payload: { kind: 'attendee' } });
    await tables.events.set({ status });
    const mine = await ask(person('eva'), 'GET', `${url}/mine`);
    expect(mine.body).toMatchObject({ stage, data: [{ status: 'confirmed', allowed_actions: allowed }] });
  },
);

it('answers event_full with waitlist_enabled to a request that refuses the waitlist', async () => {
  const { id } = await given({ max_attendees: 1, waitlist_enabled: true });
  const register = (name: string, waitlist: boolean) =>
    ask(person(name), 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee', waitlist } });
  expect(await register('a', false)).toMatchObject({ status: 201, body: { status: 'confirmed' } });
  expect(await register('b', false)).toMatchObject({
    status: 409,
    body: { code: 'event_full', waitlist_enabled: true },
  });
  expect(await register('b', true)).toMatchObject({
    status: 201,
    body: { status: 'waitlisted', waitlist_position: 1 },
  });
});

it.each([
  ['', 1, 3, 0, null],
  ['?capacity=3', 3, 1, 2, null],
  ['?capacity=9', 9, 0, 3, null],
] as const)('explains the waitlist%s', async (query, capacity, would_still_wait, would_move_up, note) => {
  const { id } = await given({ max_attendees: 1, waitlist_enabled: true });
  for (const name of ['a', 'b', 'c', 'd'])
    await ask(person(name), 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee' } });
  const { body } = await ask(STAFF, 'GET', `${E}/${id}/waitlist${query}`);
  expect(body).toMatchObject({ capacity, taken: 1, waiting: 3, would_move_up, would_still_wait, note });
  expect(body.next.map((row: { user_id: string }) => row.user_id)).toEqual(['b', 'c', 'd']);
});

describe('the list of registrations', () => {
  it('has names and allowed actions, and finds people by any word', async () => {
    const url = `${E}/${(await given({ requires_approval: true })).id}/registrations`;
    await tables.contacts.put(aContact('a', { name: 'Jiří Novák', email: 'jiri@people.example' }));
    for (const [name, notes] of [
      ['a', null],
      ['b', 'Comes by bus'],
    ] as const)
      await ask(person(name), 'POST', url, { payload: { kind: 'attendee', notes } });
    const found = async (q: string) =>
      valuesOf(await ask(STAFF, 'GET', `${url}?q=${encodeURIComponent(q)}`), 'user_id');
    expect(await found('novak jiri')).toEqual(['a']);
    expect(await found('PEOPLE.example')).toEqual(['a']);
    expect(await found('bus')).toEqual(['b']);
    expect(await found('novak bus')).toEqual([]);
    expect(await found(' bus ')).toEqual(['b']);
    const { body } = await ask(STAFF, 'GET', url);
    expect(
      body.data.map((row: { name: string; allowed_actions: string[] }) => [row.name, row.allowed_actions]),
    ).toEqual([
      ['Jiří Novák', ['confirm', 'decline', 'cancel']],
      [null, ['confirm', 'decline', 'cancel']],
    ]);
    await ask(STAFF, 'POST', `${url}/${body.data[0].id}/confirm`);
    expect((await ask(STAFF, 'GET', `${url}/counts`)).body.counts).toEqual([
      { status: 'confirmed', kind: 'attendee', count: 1, checked_in: 0 },
      { status: 'pending', kind: 'attendee', count: 1, checked_in: 0 },
    ]);
  });
});

it('keeps your ended registrations after the active ones, with the reason', async () => {
  const url = `${E}/${(await given()).id}/registrations`;
  const first = await ask(person('eva'), 'POST', url, { payload: { kind: 'attendee' } });
  await ask(STAFF, 'POST', `${url}/${first.body.id}/decline`, { payload: { reason: 'For grade 5 only' } });
  const ended = { id: first.body.id, status: 'cancelled', cancel_reason: 'For grade 5 only', allowed_actions: [] };
  expect((await ask(person('eva'), 'GET', `${url}/mine`)).body.data).toMatchObject([ended]);
  await ask(person('eva'), 'POST', url, { payload: { kind: 'volunteer' } });
  expect((await ask(person('eva'), 'GET', `${url}/mine`)).body.data).toMatchObject([{ kind: 'volunteer' }, ended]);
});
