import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { isSettled, isWorkedOff } from '../faults/checks.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';

const E = '/api/v1/operations/events';
const PEOPLE = 200;

let world: World;
beforeAll(async () => {
  // Slow enough that a change of mind comes in the midst of an announcement.
  world = await startWorld({ env: { EMAIL_RATE: '40' } });
  const people = Array.from({ length: PEOPLE }, (_, n) => contactOf(n));
  await contactStore(world.database).putMany(people);
}, 60_000);
afterAll(() => world?.end());

const quiet = () => eventually('all is settled', async () => (await isWorkedOff(world)) && (await isSettled(world)));
const mailsOf = (id: string) => world.accepted().filter((line) => line.event === id && line.channel === 'email');
const mailbox = (n: number) => `person-${n}@people.example`;

async function created(more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await world.call('POST', E, draft(more));
  expect(status).toBe(201);
  return String(body.id);
}

async function move(id: string, action: string, body?: object): Promise<void> {
  expect((await world.call('POST', `${E}/${id}/${action}`, body)).status).toBe(200);
}

/** What each mailbox heard of an event, in order. */
function heard(id: string): Map<string, string[]> {
  const byMailbox = new Map<string, string[]>();
  for (const { recipient, trigger } of mailsOf(id))
    byMailbox.set(recipient, [...(byMailbox.get(recipient) ?? []), String(trigger)]);
  return byMailbox;
}

const inADay = () => new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);

test('publish, postpone, cancel within a second: one cancellation for whoever was told, and nothing for the others', async () => {
  const registrants = ['person-000001', 'person-000002'];
  const id = await created({ registration_type: 'optional', target_audience: ['students'] });
  await move(id, 'publish');
  for (const user_id of registrants)
    expect((await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id })).status).toBe(201);
  // In the midst of the announcement; a confirmation tells nobody of it.
  const announcements = () => mailsOf(id).filter(({ trigger }) => trigger === 'event.published');
  await eventually('somebody is told', () => announcements().length > 10);
  await move(id, 'postpone', { new_start_date: inADay(), reason: 'Rain' });
  await move(id, 'cancel', { reason: 'Storm' });
  await quiet();

  const all = heard(id);
  const told = [...all].filter(([, triggers]) => triggers.includes('event.published'));
  expect(told.length).toBeGreaterThan(10);
  expect(told.length).toBeLessThan(PEOPLE);
  for (const [recipient, triggers] of told) {
    expect([recipient, triggers.filter((trigger) => trigger === 'event.cancelled')]).toEqual([
      recipient,
      ['event.cancelled'],
    ]);
    expect(triggers.at(-1)).toBe('event.cancelled');
  }
  // Who heard nothing of it needn't hear that it is off; those registered do.
  const others = [...all.keys()].filter((recipient) => !told.some(([one]) => one === recipient));
  expect(others.filter((recipient) => recipient !== mailbox(1) && recipient !== mailbox(2))).toEqual([]);
  for (const n of [1, 2])
    expect(all.get(mailbox(n))?.filter((trigger) => trigger === 'event.cancelled')).toEqual(['event.cancelled']);
  const untold = Array.from({ length: PEOPLE }, (_, n) => n).find((n) => !all.has(mailbox(n))) ?? -1;
  const { user_id } = contactOf(untold);
  const { body } = await world.call('GET', `${E}/${id}/deliveries?user_id=${user_id}`);
  const reasons = (body.why as unknown as { channel: string; trigger: string; reason: string }[])
    .filter(({ channel, trigger }) => channel === 'email' && trigger !== 'event.postponed')
    .map(({ trigger, reason }) => `${trigger} ${reason}`);
  expect(reasons).toHaveLength(2);
  expect(reasons).toContain('event.published event_state');
  // One whose announcement was stopped at the last moment has a row that says so.
  expect(reasons.join()).toMatch(/event.cancelled (never_registered|never_told)/);
}, 90_000);

test('where nobody can register, everyone who was told hears that it is off, at the address they were told at', async () => {
  const id = await created({ registration_type: 'none', target_audience: ['staff'] });
  const staff = [901, 902, 903].map((n) => contactOf(n, { roles: ['staff'] }));
  await contactStore(world.database).putMany(staff);
  await move(id, 'publish');
  await quiet();
  expect(heard(id).size).toBe(3);
  await contactStore(world.database).putMany([contactOf(904, { roles: ['staff'] })]);
  const foreseen = await world.call('POST', `${E}/${id}/cancel?dry_run=true`, { reason: 'Storm' });
  expect(foreseen.body).toMatchObject({ people: 3, audience: { email: { told: 3 }, in_app: { told: 3 } } });
  await move(id, 'cancel', { reason: 'Storm' });
  await quiet();
  const both = ['event.published', 'event.cancelled'];
  expect(heard(id)).toEqual(new Map([901, 902, 903].map((n) => [mailbox(n), both])));
  const rows = await world.deliveries({ event_id: id, trigger: 'event.cancelled', ...SCHOOL, channel: 'sms' });
  expect(rows).toEqual([]);
}, 90_000);

test('a date corrected in the midst of an announcement is told to those who heard the wrong one', async () => {
  const id = await created({ registration_type: 'optional' });
  await move(id, 'publish');
  await eventually('somebody is told', () => mailsOf(id).length > 10);
  const before = new Set(mailsOf(id).map(({ recipient }) => recipient));
  expect((await world.call('PATCH', `${E}/${id}`, { start_time: '17:00' })).status).toBe(200);
  await eventually('all are told', () => heard(id).size >= PEOPLE);
  // The notice waits for further edits; what is asked here is whom it waits for.
  const waiting = await world.deliveries({ event_id: id, trigger: 'event.changed', channel: 'email' });
  const corrected = new Set(waiting.map(({ address }) => address));
  for (const recipient of before) expect(corrected).toContain(recipient);
  expect(corrected.size).toBeLessThan(PEOPLE);
}, 90_000);
