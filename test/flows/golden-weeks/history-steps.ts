import fc from 'fast-check';
import { expect } from 'vitest';
import { addDays } from '../../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Contact } from '../../../src/people/contact.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { E } from '../../support/http/http-app.ts';
import { type Person, type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/** Random histories of a school, one step after the other. */

export const PEOPLE: Person[] = [
  { name: 'Eva', roles: ['parent'] },
  { name: 'Karl', roles: ['parent'] },
  { name: 'Petr', roles: ['student'], guardians: ['eva', 'karl'] },
  { name: 'Jana', roles: ['student'], guardians: ['karl'], email: null },
  { name: 'Olga', roles: ['staff'] },
];

/** So far ahead that no event begins before a history ends. */
export const FIRST_DAY = '2026-10-19';

/** The fields of an event for which people may register. */
export const PLAY = {
  title: 'Play',
  event_type: 'social',
  registration_type: 'optional',
  start_date: FIRST_DAY,
  end_date: FIRST_DAY,
  start_time: '18:00',
  end_time: '20:00',
};

const one = <const T extends string>(...all: T[]) => fc.constantFrom(...all);
const day = fc.nat(20).map((n) => addDays(FIRST_DAY, n));
const audience = one('all', 'parents', 'staff').map((role) => [role]);
const start_time = one('16:00', '17:00', '18:00');
const seats = fc.integer({ min: 1, max: 4 });
/** Which of the events, of its series too, and whether with time to undo it. */
const target = { nth: fc.nat(), query: one('', '', '?scope=all', '?scope=following', '?hold_seconds=30') };
const move = <const A extends string, B>(act: A, body: fc.Arbitrary<B>) =>
  fc.record({ kind: one('move'), act: fc.constant(act), ...target, body, isUndone: fc.boolean() });
const nothing = fc.constant(undefined);

const created = fc.record({
  kind: one('create'),
  fields: fc.record({
    start_date: day,
    start_time,
    registration_type: one('none', 'optional', 'optional', 'required'),
    target_audience: audience,
    visibility: one('internal', 'public', 'staff_only'),
    max_attendees: seats,
    requires_approval: fc.boolean(),
  }),
  isSeries: fc.boolean(),
});
const edited = fc.record({
  kind: one('edit'),
  ...target,
  body: fc.oneof(
    fc.record({ start_time }),
    fc.record({ location_name: one('Hall', 'Gym') }),
    fc.record({ max_attendees: seats }),
    fc.record({ target_audience: audience }),
    fc.record({ recurrence_count: seats }),
  ),
  registered_dates: one('keep', 'cancel'),
});
const who = fc.constantFrom(...PEOPLE.map(({ name }) => name.toLowerCase()));
const registered = fc.record({ kind: one('register'), nth: fc.nat(), who });
const decided = fc.record({ kind: one('decide'), nth: fc.nat(), act: one('cancel', 'confirm', 'decline') });
const waited = fc.record({ kind: one('wait'), seconds: fc.constantFrom(5, 130, 3_600, 30_000) });

/** A change of a person in the directory, or of what they want; families may share an address. */
const person = fc.record({
  kind: one('person'),
  change: fc.oneof(
    { weight: 3, arbitrary: fc.record({ who: one('petr', 'jana'), guardians: fc.subarray(['eva', 'karl']) }) },
    { weight: 1, arbitrary: fc.record({ who, hasLeft: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ who, email: one('eva@people.example', 'karl@people.example', '') }) },
    {
      weight: 1,
      arbitrary: fc.record({ who, opted_out: fc.subarray(['*:email', 'event.changed:email', '*:in_app']) }),
    },
  ),
});
const mailServer = fc.record({ kind: one('mail server'), state: one('up', 'down') });

/** Steps of staff and people that concern events, and outages of the mail server. */
export const step = fc.oneof(
  { weight: 2, arbitrary: created },
  { weight: 9, arbitrary: move('publish', nothing) },
  { weight: 3, arbitrary: move('unpublish', nothing) },
  { weight: 1, arbitrary: move('cancel', fc.constant({ reason: 'Storm' })) },
  { weight: 3, arbitrary: move('postpone', fc.record({ reason: one('Rain'), new_start_date: fc.option(day) })) },
  { weight: 2, arbitrary: move('return', fc.constantFrom({}, { to: 'draft' })) },
  { weight: 1, arbitrary: move('schedule', fc.constantFrom({}, { publish_at: '2026-09-08T10:00:00Z' })) },
  { weight: 1, arbitrary: fc.record({ kind: one('delete'), nth: fc.nat(), query: one('', '?scope=all') }) },
  { weight: 5, arbitrary: edited },
  { weight: 16, arbitrary: registered },
  { weight: 4, arbitrary: decided },
  { weight: 14, arbitrary: waited },
  { weight: 3, arbitrary: mailServer },
);
/** Also changes of people. */
export const anyStep = fc.oneof({ weight: 50, arbitrary: step }, { weight: 16, arbitrary: person });
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const historyOf = (steps: fc.Arbitrary<Step>) =>
  fc.record({
    quiet: fc.boolean(),
    /** whether all events are published after the steps, so that more people come to something */
    isPublished: fc.boolean(),
    start: fc.tuple(created, created, move('publish', nothing), move('publish', nothing)),
    steps: fc.array(steps, { minLength: 30, maxLength: 60, size: 'max' }),
  });
export type History = ReturnType<typeof historyOf> extends fc.Arbitrary<infer T> ? T : never;

export const SERIES = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };

/** Takes a step; a refusal is no fault. `ids`: of the events, in the order of their creation. */
export async function take(school: SimulatedSchool, ids: string[], step: Step): Promise<void> {
  const { ask, pass } = school;
  const id = 'nth' in step && ids[step.nth % Math.max(ids.length, 1)];
  switch (step.kind) {
    case 'create': {
      const { start_date } = step.fields;
      const registration_deadline = `${addDays(start_date, -1)}T10:00:00Z`;
      const times = { end_date: start_date, end_time: '20:00', registration_deadline };
      const fields = { ...step.fields, ...times, event_type: 'social', waitlist_enabled: true };
      await ask('POST', E, { ...fields, title: `Event ${ids.length}`, ...(step.isSeries ? SERIES : {}) });
      break;
    }
    case 'move': {
      const query = ['return', 'schedule'].includes(step.act) ? step.query.replace(/.hold.*/, '') : step.query;
      const { body } = await ask('POST', `${E}/${id}/${step.act}${query}`, step.body);
      const change = body.undo?.change_id;
      if (change && step.isUndone) await ask('POST', `/api/v1/operations/changes/${change}/undo`);
      break;
    }
    case 'edit': {
      const scope = step.query.replace(/.hold.*/, '');
      const changesDates = 'recurrence_count' in step.body;
      await ask('PATCH', `${E}/${id}${changesDates ? `?registered_dates=${step.registered_dates}` : scope}`, step.body);
      break;
    }
    case 'delete':
      await ask('DELETE', `${E}/${id}${step.query}`);
      break;
    case 'register':
      await ask('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: step.who });
      break;
    case 'decide': {
      const all = await school.rowsOf<Registration>('registrations');
      const row = all[step.nth % Math.max(all.length, 1)];
      const reason = step.act === 'confirm' ? undefined : { reason: 'Full' };
      if (row) await ask('POST', `${E}/${row.event_id}/registrations/${row.id}/${step.act}`, reason);
      break;
    }
    case 'person':
      await changePerson(school, step.change);
      break;
    case 'mail server':
      school.setMail(step.state);
      break;
    case 'wait':
      await pass(step.seconds);
  }
  for (const event of await school.rowsOf<SchoolEvent>('events')) if (!ids.includes(event.id)) ids.push(event.id);
}

type Change = Extract<Step, { kind: 'person' }>['change'];

/** Changes an entry of the directory, or what the person has opted out of. */
export async function changePerson({ stores, prefer, rowsOf }: SimulatedSchool, change: Change): Promise<void> {
  if ('opted_out' in change) return void (await prefer(change.who, { opted_out: change.opted_out }));
  const contacts = await rowsOf<Contact & { id: string }>('contacts');
  const before = contacts.find(({ user_id }) => user_id === change.who);
  if (!before) throw new Error(`no ${change.who}`);
  await stores.contacts.putMany([changed(before, change)]);
}

function changed(before: Contact, change: Exclude<Change, { opted_out: unknown }>): Contact {
  if ('guardians' in change) return { ...before, guardians: change.guardians };
  if ('email' in change) return { ...before, email: change.email || null };
  const { left_at, ...present } = before;
  return change.hasLeft ? { ...present, left_at: new Date() } : present;
}

/** Plays a history, and lets four days pass after it. @param after is called after each step */
export async function simulateHistory(
  { quiet, isPublished, start, steps }: History,
  after: (school: SimulatedSchool) => Promise<void> = async () => {},
): Promise<SimulatedSchool> {
  const settings = quiet ? { quiet_hours: { from: '21:00', to: '06:30' } } : {};
  const school = await simulateSchool('2026-09-07 08:00', settings, PEOPLE);
  const ids: string[] = [];
  for (const step of [...start, ...steps]) {
    await take(school, ids, step);
    await after(school);
  }
  school.setMail('up');
  if (isPublished) for (const id of ids) await school.ask('POST', `${E}/${id}/publish?scope=all`);
  await school.pass(4 * 86_400);
  await after(school);
  return school;
}

/** The ids of messages that were sent more than once. */
export function findSentTwice({ messages }: SimulatedSchool): string[] {
  const sent = messages.map(({ id }) => id);
  return sent.filter((id, n) => sent.indexOf(id) !== n).map((id) => `${id} was sent twice`);
}

/** `HISTORIES=200 HISTORIES_SEED=7 npx vitest run FILE` plays more and other histories; a failure names the shortest one found. */
const { HISTORIES = '2', HISTORIES_SEED = '1' } = process.env;

/** Plays random histories of these steps, and expects that none has faults. */
export async function checkHistories(
  steps: fc.Arbitrary<Step>,
  findFaults: (history: History) => Promise<string[]>,
): Promise<void> {
  const promise = fc.asyncProperty(historyOf(steps), async (one) => {
    expect(await findFaults(one)).toEqual([]);
  });
  await fc.assert(promise, { numRuns: Number(HISTORIES), seed: Number(HISTORIES_SEED) });
}
