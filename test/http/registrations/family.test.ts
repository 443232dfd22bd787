import { describe, expect, it } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { E, PARENT, pointersOf, provideHttp, STAFF, type Who } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const MOTHER: Who = { ...PARENT, children: ['adam', 'bea'] };
const people = (...ids: string[]) => ids.map((user_id) => ({ user_id, kind: 'attendee' }));

async function familyOf(event: Partial<SchoolEvent> = {}) {
  const { id } = await given(event);
  const url = `${E}/${id}/registrations`;
  const sign = (payload: object, who = MOTHER, headers = {}) => ask(who, 'POST', `${url}/family`, { payload, headers });
  const resultsOf = (body: { data: { registration?: { status: string }; code?: string }[] }) =>
    body.data.map(({ registration, code }) => registration?.status ?? code);
  return { ask, id, url, tables, sign, resultsOf };
}

describe('registering a family', () => {
  it('registers a guardian and the children in the given order, and answers each result', async () => {
    const { ask, id, sign } = await familyOf({ max_attendees: 5 });
    const answer = await sign({
      people: [...people('eva', 'adam'), { user_id: 'bea', kind: 'performer', notes: 'Flute' }],
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: [
          { user_id: 'eva', registration: { user_id: 'eva', status: 'confirmed', registered_by: 'eva' } },
          { user_id: 'adam', registration: { user_id: 'adam', status: 'confirmed', registered_by: 'eva' } },
          { user_id: 'bea', registration: { kind: 'performer', notes: 'Flute', waitlist_position: null } },
        ],
      },
    });
    expect((await ask(PARENT, 'GET', `${E}/${id}`)).body).toMatchObject({ current_attendees: 3, available_spots: 2 });
  });

  it('gives each person a place or a position on the waitlist, and says who is refused', async () => {
    const { ask, url, sign, resultsOf } = await familyOf({ max_attendees: 2, waitlist_enabled: true });
    await ask(MOTHER, 'POST', url, { payload: { kind: 'attendee', user_id: 'adam' } });
    const { status, body } = await sign({ people: people('adam', 'stranger', 'eva', 'bea') });
    expect(status).toBe(201);
    expect(resultsOf(body)).toEqual(['already_registered', 'forbidden', 'confirmed', 'waitlisted']);
    expect(body.data[0]).toEqual({
      user_id: 'adam',
      code: 'already_registered',
      detail: 'This person is already registered for the event.',
    });
    expect(body.data[3].registration.waitlist_position).toBe(1);
  });

  it('registers no one together if there are too few places, and says how many are free', async () => {
    const { sign, tables } = await familyOf({ max_attendees: 2 });
    expect(await sign({ people: people('eva', 'adam', 'bea'), together: true })).toMatchObject({
      status: 409,
      body: { code: 'event_full', detail: '2 places are free, not 3.', available_spots: 2, waitlist_enabled: false },
    });
    expect(await tables.registrations()).toEqual([]);
    expect((await sign({ people: people('adam', 'bea'), together: true })).status).toBe(201);
  });

  it('does not put a family on the waitlist, which would give the free place to one of them', async () => {
    const { sign, tables } = await familyOf({ max_attendees: 1, waitlist_enabled: true });
    expect(await sign({ people: people('adam', 'bea'), together: true })).toMatchObject({
      status: 409,
      body: { code: 'event_full', detail: '1 place is free, not 2.', available_spots: 1, waitlist_enabled: true },
    });
    expect(await tables.registrations()).toEqual([]);
  });

  it('puts all of a family on the waitlist together, one after the other', async () => {
    const full = { max_attendees: 1, current_attendees: 1, waitlist_enabled: true };
    const { ask, id, sign, resultsOf } = await familyOf(full);
    const { body } = await sign({ people: people('adam', 'bea'), together: true });
    expect(resultsOf(body)).toEqual(['waitlisted', 'waitlisted']);
    const positions = body.data.map((one: { registration: object }) => one.registration);
    expect(positions).toMatchObject([{ waitlist_position: 1 }, { waitlist_position: 2 }]);
    expect((await ask(PARENT, 'GET', `${E}/${id}`)).body).toMatchObject({ current_attendees: 1, waitlist_count: 2 });
  });

  it('refuses a family together if the event may refuse one of them, and names the person', async () => {
    const { sign, tables } = await familyOf();
    expect(await sign({ people: people('adam', 'stranger'), together: true })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', user_id: 'stranger' },
    });
    expect(await tables.registrations()).toEqual([]);
  });

  it('answers the first refusal if no one is registered', async () => {
    const { sign } = await familyOf({ max_attendees: 1, current_attendees: 1 });
    expect(await sign({ people: people('adam', 'bea') })).toMatchObject({ status: 409, body: { code: 'event_full' } });
  });

  it('registers once if it is repeated with its Idempotency-Key', async () => {
    const { sign, tables } = await familyOf();
    const payload = { people: people('adam', 'bea'), together: true };
    const first = await sign(payload, MOTHER, { 'idempotency-key': 'family' });
    const second = await sign(payload, MOTHER, { 'idempotency-key': 'family' });
    expect(second).toMatchObject({ status: 201, text: first.text, headers: { 'idempotency-replayed': 'true' } });
    expect(await tables.registrations()).toHaveLength(2);
  });

  it.each([
    ['no one', { people: [] }, ['/people']],
    ['21 people', { people: people(...Array.from({ length: 21 }, (_, n) => `p${n}`)) }, ['/people']],
    ['a person twice', { people: people('adam', 'bea', 'adam') }, ['/people/2/user_id']],
    ['an unknown kind', { people: [{ user_id: 'adam', kind: 'guest' }] }, ['/people/0/kind']],
  ])('with %s is refused', async (_name, payload, pointers) => {
    const { sign, tables } = await familyOf();
    const answer = await sign(payload, STAFF);
    expect(answer.status).toBe(422);
    expect(pointersOf(answer)).toEqual(pointers);
    expect(await tables.registrations()).toEqual([]);
  });

  it('records one fact for each person, of which only the first of a result notifies', async () => {
    const { sign, tables } = await familyOf({ max_attendees: 2, waitlist_enabled: true });
    await sign({ people: [...people('adam', 'bea'), { kind: 'attendee' }] });
    const facts = await tables.facts();
    const [adam, bea, eva] = facts.map(({ data }) => data as { registration_id: string });
    expect(facts.map(({ type }) => type)).toEqual([
      'registration.confirmed',
      'registration.confirmed',
      'registration.waitlisted',
    ]);
    expect(adam).toMatchObject({ user_id: 'adam', family: [bea?.registration_id] });
    expect(bea).toMatchObject({ user_id: 'bea', announced_with: adam?.registration_id });
    expect(eva).toMatchObject({ user_id: 'eva', position: 1 });
    expect(eva).not.toHaveProperty('family');
  });
});
