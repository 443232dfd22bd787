import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { E } from '../../support/http/http-app.ts';
import { type Person, type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/** The shortest of the random histories that once left people without a true message, or with one too many. */

const DAY = { start_date: '2026-10-19', end_date: '2026-10-19', start_time: '18:00', end_time: '20:00' };

/** The triggers of the messages that a person read by e-mail, in their order. */
const mailsTo = ({ messages }: SimulatedSchool, user_id: string) =>
  messages.flatMap(({ channel, reader, trigger }) =>
    channel === 'email' && reader.includes(user_id) ? [trigger] : [],
  );

/** The methods of the calendar objects in the e-mails to a person, null for none. */
const calendarOf = ({ messages }: SimulatedSchool, user_id: string) =>
  messages.flatMap(({ channel, reader, method }) => (channel === 'email' && reader.includes(user_id) ? [method] : []));

/** Why reminders were not sent to Eva. */
const reasonsOf = async ({ rowsOf }: SimulatedSchool) =>
  (await rowsOf<Delivery>('deliveries')).flatMap((row) =>
    row.trigger === 'reminder.due' && row.user_id === 'eva' ? [row.reason] : [],
  );

/** Creates and publishes an event with a reminder a day before, for which Eva registers. @returns its address */
async function publishWithReminder({ ask }: SimulatedSchool): Promise<string> {
  const reminders = [{ type: 'email', offset: 1_440 }];
  const event = { ...DAY, title: 'Play', event_type: 'social', registration_type: 'optional', reminders };
  const { body } = await ask('POST', E, event);
  await ask('POST', `${E}/${body.id}/publish`);
  await ask('POST', `${E}/${body.id}/registrations`, { kind: 'attendee', user_id: 'eva' });
  return `${E}/${body.id}`;
}

test('an event that is published again after the time of its reminder explains why no one got it', async () => {
  const school = await simulateSchool('2026-10-17 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const event = await publishWithReminder(school);
  await school.ask('POST', `${event}/unpublish`);
  await school.until('2026-10-19 08:00');
  await school.ask('POST', `${event}/publish`);
  await school.until('2026-10-20 08:00');
  expect(await reasonsOf(school)).toEqual(['past_due']);
  await school.end();
});

test('an event that is postponed to a date within the time of its reminder explains why no one got it', async () => {
  const school = await simulateSchool('2026-10-17 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const event = await publishWithReminder(school);
  await school.ask('POST', `${event}/postpone`, { new_start_date: '2026-10-17', reason: 'Rain' });
  await school.ask('POST', `${event}/publish`);
  await school.until('2026-10-20 08:00');
  expect(await reasonsOf(school)).toEqual(['past_due']);
  await school.end();
});

test('the end of a registration takes the event out of a calendar only if no one of the family comes', async () => {
  const child = { roles: ['student'], guardians: ['karl'], email: null } satisfies Partial<Person>;
  const people: Person[] = [
    { name: 'Karl', roles: ['parent'] },
    { name: 'Jana', ...child },
    { name: 'Petr', ...child },
  ];
  const school = await simulateSchool('2026-09-07 08:00', {}, people);
  const fields = { ...DAY, title: 'Play', event_type: 'social', registration_type: 'optional' };
  const { body } = await school.ask('POST', E, { ...fields, target_audience: ['staff'] });
  const registrations = `${E}/${body.id}/registrations`;
  await school.ask('POST', `${E}/${body.id}/publish`);
  const ids: string[] = [];
  for (const user_id of ['jana', 'petr'])
    ids.push((await school.ask('POST', registrations, { kind: 'attendee', user_id })).body.id);
  await school.pass(60);
  await school.ask('POST', `${registrations}/${ids[0]}/cancel`);
  await school.pass(60);
  await school.ask('POST', `${registrations}/${ids[1]}/decline`);
  await school.pass(60);
  expect(calendarOf(school, 'karl')).toEqual(['REQUEST', 'REQUEST', null, 'CANCEL']);
  await school.end();
});

test('an announcement after a pause updates the calendars of registered people, and is a file for others', async () => {
  const people = ['Eva', 'Ivan'].map((name): Person => ({ name, roles: ['parent'] }));
  const school = await simulateSchool('2026-09-07 08:00', {}, people);
  const event = await publishWithReminder(school);
  await school.pass(60);
  await school.ask('POST', `${event}/unpublish`);
  await school.ask('PATCH', event, { start_time: '16:00' });
  await school.pass(300);
  await school.ask('POST', `${event}/publish`);
  await school.pass(60);
  // After confirmation and announcement: the revision and the second announcement.
  expect(calendarOf(school, 'eva').slice(2)).toEqual([null, 'REQUEST']);
  expect(calendarOf(school, 'ivan')).toEqual([null, 'PUBLISH']);
  await school.end();
});

let reports = 0;

/** Reports a state of an event of another service, and lets three minutes pass. */
async function report({ ask, pass }: SimulatedSchool, event: object, people: readonly string[] = []): Promise<void> {
  reports += 1;
  const registrations = people.map((user_id) => ({ id: user_id, user_id, kind: 'attendee', status: 'confirmed' }));
  const title = { id: 'fair', version: reports, title: 'Fair', event_type: 'social', registration_type: 'optional' };
  const snapshot = { ...title, ...DAY, visibility: 'internal', ...event };
  const head = { id: `report-${reports}`, type: 'event.edited', occurred_at: '2026-09-07T06:00:00Z' };
  await ask('POST', '/api/v1/ingest', { items: [{ ...head, event: snapshot, registrations }] });
  await pass(180);
}

test('a reported event that is published again with the same date notifies only those who know of a change', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, [
    { name: 'Eva', roles: ['parent'] },
    { name: 'Olga', roles: ['staff'] },
  ]);
  await report(school, { status: 'published' }, ['olga']);
  await report(school, { status: 'draft' });
  await report(school, { status: 'published' });
  expect(mailsTo(school, 'eva')).toEqual(['event.published']);
  expect(mailsTo(school, 'olga')).toEqual([
    'registration.confirmed',
    'event.published',
    'event.unpublished',
    'event.published',
  ]);
  await report(school, { status: 'cancelled', cancellation_reason: 'Storm' });
  await report(school, { status: 'published' });
  expect(mailsTo(school, 'olga').slice(-2)).toEqual(['event.cancelled', 'event.published']);
  await school.end();
});

test('registered people outside of the audience are notified that a reported event takes place after its postponement', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const forStaff = { target_audience: ['staff'] };
  await report(school, { ...forStaff, status: 'published' }, ['eva']);
  const moved = { ...forStaff, start_date: '2026-10-20', end_date: '2026-10-20', postponed_to: '2026-10-20T16:00:00Z' };
  await report(school, { ...moved, status: 'postponed', postponement_reason: 'Rain' });
  await report(school, { ...moved, status: 'published' });
  expect(mailsTo(school, 'eva')).toEqual(['registration.confirmed', 'event.postponed', 'event.published']);
  await school.end();
});

test('a series that is published again updates the dates for which people are registered, and is a file for others', async () => {
  const people = ['Eva', 'Ivan'].map((name): Person => ({ name, roles: ['parent'] }));
  const school = await simulateSchool('2026-09-07 08:00', {}, people);
  const series = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };
  const fields = { ...DAY, ...series, title: 'Choir', event_type: 'social', registration_type: 'optional' };
  const { body } = await school.ask('POST', E, fields);
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  const [, second] = await school.rowsOf('events');
  await school.ask('POST', `${E}/${second?.id}/registrations`, { kind: 'attendee', user_id: 'eva' });
  await school.pass(60);
  await school.ask('POST', `${E}/${body.id}/postpone?scope=all`, { reason: 'Rain', new_start_date: null });
  await school.pass(60);
  await school.ask('PATCH', `${E}/${body.id}?scope=all`, { start_time: '16:00' });
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  await school.pass(60);
  // After announcement and confirmation: the postponement without a date and the second announcement.
  expect(calendarOf(school, 'eva').slice(2)).toEqual(['CANCEL', 'REQUEST']);
  expect(calendarOf(school, 'ivan')).toEqual(['PUBLISH', 'PUBLISH']);
  const lastOf = (user_id: string) =>
    school.messages.findLast(({ reader, method }) => reader.includes(user_id) && method);
  expect([lastOf('eva'), lastOf('ivan')].map((last) => Object.keys(last?.starts ?? {}).length)).toEqual([1, 3]);
  await school.end();
});

test('a cancellation names the date and place before changes whose messages wait for a retry', async () => {
  const school = await simulateSchool('2026-09-07 12:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const event = await publishWithReminder(school);
  await school.ask('PATCH', event, { location_name: 'Gym' });
  await school.pass(300);
  school.setMail('down');
  for (const change of [{ start_time: '16:00' }, { location_name: 'Hall' }]) {
    await school.ask('PATCH', event, change);
    await school.pass(300);
  }
  await school.ask('POST', `${event}/cancel`, { reason: 'Storm' });
  school.setMail('up');
  await school.pass(3_600);
  expect(mailsTo(school, 'eva').slice(-2)).toEqual(['event.changed', 'event.cancelled']);
  const [last] = school.messages.filter(({ channel }) => channel === 'email').slice(-1);
  expect(last).toMatchObject({ when: 'Mon 19 Oct, 18:00', place: 'Gym' });
  await school.end();
});

test.each([
  ['change', 'event.changed', ['publish', { start_time: '16:00' }]],
  ['announcement', 'event.published', [{ start_date: '2026-10-26', end_date: '2026-10-26' }, 'publish']],
] as const)('a cancellation names the date of the %s that replaced a postponement of a night', async (...given) => {
  const [what, trigger, steps] = given;
  const quiet_hours = { from: '21:00', to: '06:30' };
  const school = await simulateSchool('2026-09-07 12:00', { quiet_hours }, [{ name: 'Eva', roles: ['parent'] }]);
  const event = await publishWithReminder(school);
  await school.until('2026-09-07 22:00');
  const new_start_date = what === 'change' ? '2026-10-26' : null;
  await school.ask('POST', `${event}/postpone`, { new_start_date, reason: 'Rain' });
  for (const step of steps)
    await (step === 'publish' ? school.ask('POST', `${event}/publish`) : school.ask('PATCH', event, step));
  await school.until('2026-09-08 12:00');
  await school.ask('POST', `${event}/cancel`, { reason: 'Storm' });
  await school.pass(60);
  const lastOf = (one: string) =>
    school.messages.findLast((sent) => sent.channel === 'email' && sent.trigger === one)?.when;
  expect(lastOf(trigger)).toMatch(/^Mon 26 Oct/);
  expect(lastOf('event.cancelled')).toBe(lastOf(trigger));
  await school.end();
});

test('a message about several dates updates the calendar only for those to which its reader comes, and ends all', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const series = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3, requires_approval: true };
  const fields = { ...DAY, ...series, title: 'Choir', event_type: 'social', registration_type: 'optional' };
  const { body } = await school.ask('POST', E, fields);
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  const [first, second] = (await school.rowsOf('events')).map(({ id }) => id);
  const register = async (id?: string) =>
    (await school.ask('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'eva' })).body.id;
  const comes = await register(first);
  await register(second);
  await school.ask('POST', `${E}/${first}/registrations/${comes}/confirm`);
  await school.pass(60);
  await school.ask('POST', `${E}/${body.id}/postpone?scope=all`, { reason: 'Rain', new_start_date: '2026-10-20' });
  await school.pass(60);
  await school.ask('POST', `${E}/${body.id}/cancel?scope=all`, { reason: 'Storm' });
  await school.pass(60);
  const mails = school.messages.filter(({ channel }) => channel === 'email').slice(-2);
  expect(mails.map(({ method, starts }) => [method, Object.keys(starts)])).toEqual([
    ['REQUEST', [first]],
    ['CANCEL', [first, second]],
  ]);
  expect(mails.map(({ dates }) => Object.keys(dates))).toEqual([
    [first, second],
    [first, second],
  ]);
  await school.end();
});

/** A weekly series of two dates, announced to Eva and just postponed by a day. */
async function postponedSeries() {
  const school = await simulateSchool('2026-09-07 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const series = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 2 };
  const fields = { ...DAY, ...series, title: 'Choir', event_type: 'social', registration_type: 'none' };
  const { body } = await school.ask('POST', E, fields);
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  await school.pass(60);
  await school.ask('POST', `${E}/${body.id}/postpone?scope=all`, { reason: 'Rain', new_start_date: '2026-10-20' });
  return { school, first: body.id as string };
}

test('the cancellation of a date right after its series was postponed names the date that its readers know', async () => {
  const { school, first } = await postponedSeries();
  await school.ask('POST', `${E}/${first}/cancel`, { reason: 'Storm' });
  await school.pass(60);
  const mails = school.messages
    .filter(({ channel }) => channel === 'email')
    .map(({ trigger, when }) => [trigger, when]);
  expect(mails.slice(1)).toEqual([
    ['event.postponed', 'Tue 27 Oct, 18:00'],
    ['event.cancelled', 'Mon 19 Oct, 18:00'],
  ]);
  await school.end();
});

test('an announcement of a series that left out a date postponed meanwhile is no announcement of that date', async () => {
  const { school, first } = await postponedSeries();
  await school.ask('POST', `${E}/${first}/publish?scope=all`);
  await school.ask('POST', `${E}/${first}/postpone`, { reason: 'Rain', new_start_date: null });
  await school.pass(60);
  await school.ask('POST', `${E}/${first}/publish`);
  await school.pass(60);
  const mails = school.messages.filter(({ channel, dates }) => channel === 'email' && first in dates);
  expect(mails.map(({ trigger }) => trigger)).toEqual(['event.published', 'event.postponed', 'event.published']);
  await school.end();
});

test('a person who is registered again before the end of the earlier registration is sent reads only of the new one', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const fields = { ...DAY, title: 'Play', event_type: 'social', registration_type: 'optional' };
  const { body } = await school.ask('POST', E, { ...fields, target_audience: ['staff'] });
  const registrations = `${E}/${body.id}/registrations`;
  await school.ask('POST', `${E}/${body.id}/publish`);
  const register = async () => (await school.ask('POST', registrations, { kind: 'attendee', user_id: 'eva' })).body.id;
  const first = await register();
  await school.pass(60);
  school.setMail('down');
  await school.ask('POST', `${registrations}/${first}/cancel`, { reason: 'Mistake' });
  await school.pass(5);
  await register();
  school.setMail('up');
  await school.pass(3_600);
  expect(mailsTo(school, 'eva')).toEqual(['registration.confirmed', 'registration.confirmed']);
  await school.end();
});
