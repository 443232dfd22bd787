import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { inShort, spanOf } from '../../../src/notifications/content/when.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { E } from '../../support/http/http-app.ts';
import { type Person, type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/** `HISTORIES=200 HISTORIES_SEED=7 npx vitest run FILE` plays more and other histories; a failure names the shortest one found. */
const { HISTORIES = '2', HISTORIES_SEED = '1' } = process.env;

const PEOPLE: Person[] = [
  { name: 'Eva', roles: ['parent'] },
  { name: 'Karl', roles: ['parent'] },
  { name: 'Petr', roles: ['student'], guardians: ['eva', 'karl'] },
  { name: 'Jana', roles: ['student'], guardians: ['karl'], email: null },
  { name: 'Olga', roles: ['staff'] },
];

/** So far ahead that no event begins before a history ends. */
const FIRST_DAY = '2026-10-19';

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
    registration_type: one('none', 'optional', 'required'),
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
    fc.record({ recurrence_count: seats, registered_dates: one('keep', 'cancel') }),
  ),
});
const who = fc.constantFrom(...PEOPLE.map(({ name }) => name.toLowerCase()));
const registered = fc.record({ kind: one('register'), nth: fc.nat(), who });
const decided = fc.record({
  kind: one('decide'),
  nth: fc.nat(),
  act: one('cancel', 'confirm', 'decline'),
  body: fc.constant({ reason: 'Full' }),
});
const waited = fc.record({ kind: one('wait'), seconds: fc.constantFrom(5, 130, 3_600, 30_000) });

const step = fc.oneof(
  { weight: 4, arbitrary: created },
  { weight: 9, arbitrary: move('publish', nothing) },
  { weight: 3, arbitrary: move('unpublish', nothing) },
  { weight: 1, arbitrary: move('cancel', fc.constant({ reason: 'Storm' })) },
  { weight: 3, arbitrary: move('postpone', fc.record({ reason: one('Rain'), new_start_date: fc.option(day) })) },
  { weight: 2, arbitrary: move('return', fc.constantFrom({}, { to: 'draft' })) },
  { weight: 5, arbitrary: edited },
  { weight: 12, arbitrary: registered },
  { weight: 4, arbitrary: decided },
  { weight: 14, arbitrary: waited },
);
const history = fc.record({
  quiet: fc.boolean(),
  steps: fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const SERIES = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };

/** Takes a step; a refusal is no fault. `ids`: of the events, in the order of their creation. */
async function take(school: SimulatedSchool, ids: string[], step: Step): Promise<void> {
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
      const { body } = await ask('POST', `${E}/${id}/${step.act}${step.query}`, step.body);
      const change = body.undo?.change_id;
      if (change && step.isUndone) await ask('POST', `/api/v1/operations/changes/${change}/undo`);
      break;
    }
    case 'edit':
      await ask('PATCH', `${E}/${id}${step.query.replace(/.hold.*/, '')}`, step.body);
      break;
    case 'register':
      await ask('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: step.who });
      break;
    case 'decide': {
      const all = await school.rowsOf<Registration>('registrations');
      const row = all[step.nth % Math.max(all.length, 1)];
      if (row) await ask('POST', `${E}/${row.event_id}/registrations/${row.id}/${step.act}`, step.body);
      break;
    }
    case 'wait':
      await pass(step.seconds);
  }
  for (const event of await school.rowsOf<SchoolEvent>('events')) if (!ids.includes(event.id)) ids.push(event.id);
}

const ENDED: readonly Trigger[] = ['registration.declined', 'registration.cancelled'];

/** The claim of a message about its event: news about a registration mean that it is planned. */
const claimOf = (trigger: Trigger) =>
  trigger === 'event.cancelled' ? 'cancelled' : trigger === 'event.unpublished' ? 'revised' : 'planned';
/** The claim that the last message about an event should make. */
const truthOf = ({ status }: SchoolEvent) =>
  status === 'cancelled' ? 'cancelled' : status === 'published' ? 'planned' : null;

/** The people whose last message about an event is not true, with what it says and what is true. */
async function findMisinformed({ messages, rowsOf }: SimulatedSchool): Promise<string[]> {
  const registrations = await rowsOf<Registration>('registrations');
  const events = (await rowsOf<SchoolEvent>('events')).filter((event) => event.deleted_at === null);
  return events.flatMap((event) => {
    const about = messages.filter(({ dates }) => event.id in dates);
    const own = registrations.filter(({ event_id }) => event_id === event.id);
    const active = own.filter(({ status }) => status !== 'cancelled').map(({ user_id }) => user_id);
    const invited = event.registration_type === 'none' ? about.flatMap(({ reader }) => reader) : [];
    const truth = truthOf(event);
    const when = inShort(spanOf(event, event.timezone), 'en', 2026);
    return [...new Set([...active, ...invited])].flatMap((user_id) => {
      if (!truth || (own.some((row) => row.user_id === user_id) && !active.includes(user_id))) return [];
      const last = about.filter(({ reader, trigger }) => reader.includes(user_id) && !ENDED.includes(trigger)).at(-1);
      const claim = last && claimOf(last.trigger);
      const isOld = claim === 'planned' && last?.dates[event.id] !== when;
      return claim === truth && !(truth === 'planned' && isOld)
        ? []
        : [
            `${user_id} last read “${last?.trigger} ${last?.dates[event.id]}”, but ${event.title} is ${event.status} ${when}`,
          ];
    });
  });
}

async function play({ quiet, steps }: History): Promise<string[]> {
  const settings = quiet ? { quiet_hours: { from: '21:00', to: '06:30' } } : {};
  const school = await simulateSchool('2026-09-07 08:00', settings, PEOPLE);
  try {
    const ids: string[] = [];
    for (const step of steps) await take(school, ids, step);
    await school.pass(4 * 86_400);
    const rows = await school.rowsOf<Delivery>('deliveries');
    const open = rows.filter(({ status }) => !['sent', 'skipped', 'waiting'].includes(status));
    const sent = school.messages.map(({ id }) => id);
    return [
      ...(await findMisinformed(school)),
      ...open.map(({ trigger, status }) => `${trigger} is ${status}`),
      ...sent.filter((id, n) => sent.indexOf(id) !== n).map((id) => `${id} was sent twice`),
    ];
  } finally {
    await school.end();
  }
}

test('everyone knows what is true after any history of events and registrations', { timeout: 3_600_000 }, async () => {
  const promise = fc.asyncProperty(history, async (one) => {
    expect(await play(one)).toEqual([]);
  });
  await fc.assert(promise, { numRuns: Number(HISTORIES), seed: Number(HISTORIES_SEED) });
});

test('people without a message are noticed', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, PEOPLE);
  const day = { start_date: FIRST_DAY, end_date: FIRST_DAY, start_time: '18:00', end_time: '20:00' };
  const { body } = await school.ask('POST', E, {
    ...day,
    title: 'Play',
    event_type: 'social',
    registration_type: 'optional',
  });
  for (const path of ['publish', 'registrations'])
    await school.ask('POST', `${E}/${body.id}/${path}`, { kind: 'attendee' });
  await school.pass(60);
  expect(await findMisinformed(school)).toEqual([]);
  expect(await findMisinformed({ ...school, messages: [] })).toHaveLength(1);
  await school.end();
});

test('a postponement and the new publication of the same night do not wait for each other', async () => {
  const school = await simulateSchool('2026-09-07 20:00', { quiet_hours: { from: '21:00', to: '06:30' } }, PEOPLE);
  const times = { start_date: FIRST_DAY, end_date: FIRST_DAY, start_time: '16:00', end_time: '20:00' };
  const type = { event_type: 'social', registration_type: 'none', visibility: 'internal', ...SERIES };
  const { body } = await school.ask('POST', E, { ...times, ...type, title: 'Play' });
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  await school.pass(2 * 3_600);
  await school.ask('POST', `${E}/${body.id}/postpone`, { reason: 'Rain', new_start_date: '2026-10-20' });
  await school.pass(5);
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  await school.pass(12 * 3_600);
  const rows = await school.rowsOf<Delivery>('deliveries');
  expect(rows.filter(({ status }) => status === 'waiting')).toEqual([]);
  expect(await findMisinformed(school)).toEqual([]);
  await school.end();
});
