import { expect, it } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { E, EVERYTHING, PARENT, STAFF, serveAnew, type Who } from '../../support/http/http-app.ts';

const person = (user_id: string, more: Who = {}): Who => ({ ...PARENT, user_id, ...more });
const minutes = (n: number) => n * 60_000;

/** An event, its registrations of these people, and the clock at the door. */
async function openDoor(people: string[], more: Partial<SchoolEvent> = {}) {
  const { ask, given, now, tables } = await serveAnew();
  now.at = new Date('2026-10-01T08:00:00Z');
  const event = await given({ max_attendees: 5, waitlist_enabled: true, ...more });
  const url = `${E}/${event.id}`;
  const ids: Record<string, string> = {};
  for (const name of people)
    ids[name] = (await ask(person(name), 'POST', `${url}/registrations`, { payload: { kind: 'attendee' } })).body.id;
  const goTo = (beforeStart: number) => {
    now.at = new Date(event.starts_at.getTime() - minutes(beforeStart));
  };
  return {
    ask,
    tables,
    url,
    ids,
    goTo,
    code: () => ask(STAFF, 'GET', `${url}/check_in`),
    enter: (who: Who, code: string, user_id?: string) =>
      ask(who, 'POST', `${url}/check_in`, { payload: { code, ...(user_id ? { user_id } : {}) } }),
    byStaff: (name: string, action = 'check_in', who: Who = STAFF) =>
      ask(who, 'POST', `${url}/registrations/${ids[name]}/${action}`),
    types: async () => (await tables.facts()).map(({ type }) => type).filter((type) => type.includes('check')),
    set: (status: SchoolEvent['status']) => tables.events.set({ status }, event.id),
  };
}

it('lets staff check in a confirmed person from an hour before the start, and undo it', async () => {
  const { ask, byStaff, goTo, ids, types, url } = await openDoor(['a', 'b'], { max_attendees: 1 });
  goTo(61);
  expect((await byStaff('a')).body).toMatchObject({ status: 409, code: 'check_in_not_open' });
  goTo(60);
  const first = await byStaff('a');
  expect(first.body.checked_in_at).toBe('2026-10-16T08:00:00.000Z');
  expect((await byStaff('a')).body).toEqual(first.body);
  expect((await byStaff('b')).body.code).toBe('registration_not_active');
  expect((await byStaff('a', 'check_in', person('a'))).status).toBe(403);
  expect((await byStaff('a', 'undo_check_in', person('a'))).status).toBe(403);
  const rows = (await ask(STAFF, 'GET', `${url}/registrations`)).body.data;
  expect(rows[0].allowed_actions).toEqual(['decline', 'cancel', 'undo_check_in']);
  for (const _again of [1, 2]) {
    expect((await byStaff('a', 'undo_check_in')).body).toMatchObject({ id: ids.a, checked_in_at: null });
  }
  expect(await types()).toEqual(['registration.checked_in', 'registration.check_in_undone']);
});

it('checks in people and children with the code of now, and refuses everyone else with a reason', async () => {
  const { ask, code, enter, goTo, set, url } = await openDoor(['a', 'kid', 'b'], { max_attendees: 2 });
  expect((await code()).body).toMatchObject({ status: 409, code: 'check_in_not_open' });
  goTo(30);
  expect((await ask(PARENT, 'GET', `${url}/check_in`)).status).toBe(403);
  const shown = (await code()).body;
  expect(shown.url).toBe(`https://school.test/events/${url.slice(E.length + 1)}?check_in=${shown.code}`);
  const wrong = shown.code === '000000' ? '000001' : '000000';
  expect((await enter(person('a'), wrong)).body).toMatchObject({ status: 409, code: 'wrong_code' });
  expect((await enter(person('a'), 'photo')).status).toBe(422);
  expect((await enter(person('stranger'), shown.code)).body).toMatchObject({ status: 409, code: 'not_registered' });
  expect((await enter(person('b'), shown.code)).body.code).toBe('registration_not_active');
  expect((await enter(person('stranger'), shown.code, 'a')).status).toBe(403);
  const mine = async (name: string) => (await ask(person(name), 'GET', `${url}/registrations/mine`)).body.data[0];
  expect((await mine('a')).allowed_actions).toEqual(['cancel', 'check_in']);
  expect((await enter(person('a'), shown.code)).body.checked_in_at).not.toBeNull();
  expect((await mine('a')).allowed_actions).toEqual(['cancel']);
  const mother = person('mother', { children: ['kid'] });
  expect((await enter(mother, shown.code, 'kid')).body).toMatchObject({ user_id: 'kid', status: 'confirmed' });
  goTo(5);
  expect((await enter(person('b'), shown.code)).body.code).toBe('wrong_code');
  await set('cancelled');
  expect((await enter(person('a'), shown.code)).body.code).toBe('event_not_published');
  await set('completed');
  expect((await enter(person('a'), shown.code)).body.code).toBe('check_in_over');
});

it('refuses the eleventh try of a person within a minute', async () => {
  const { enter, goTo } = await openDoor(['a', 'b']);
  goTo(30);
  for (let n = 0; n < 10; n += 1) expect((await enter(person('a'), '000000')).status).toBe(409);
  expect((await enter(person('a'), '000000')).body).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await enter(person('b'), '000000')).status).toBe(409);
});

it('shows the attendance rate once the event has started, on the event and in the statistics', async () => {
  const { ask, byStaff, goTo, url } = await openDoor(['a', 'b', 'c', 'd']);
  goTo(10);
  const rates = async () => {
    const counts = (await ask(STAFF, 'GET', `${url}/registrations/counts`)).body;
    const { attendanceRate, totalRegistrations } = (await ask(EVERYTHING, 'GET', `${E}/statistics`)).body;
    return [counts.attendance_rate, attendanceRate, totalRegistrations];
  };
  for (const name of ['a', 'b']) await byStaff(name);
  expect(await rates()).toEqual([null, null, 4]);
  const transit = (action: string) => ask(EVERYTHING, 'POST', `${url}/${action}`, { payload: {} });
  expect((await transit('start')).status).toBe(200);
  expect(await rates()).toEqual([0.5, 0.5, 4]);
  await byStaff('c');
  await byStaff('a', 'undo_check_in');
  await byStaff('a', 'cancel');
  expect(await rates()).toEqual([0.667, 0.667, 3]);
  expect((await transit('complete')).status).toBe(200);
  await byStaff('d');
  expect(await rates()).toEqual([1, 1, 3]);
});
