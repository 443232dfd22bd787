import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { untilIdle } from '../faults/harness/checks.ts';
import { contactOf, draft, E, eventually, type OwnWorld, SCHOOL, startWorld } from '../support/world.ts';

const PEOPLE = 120;

let world: OwnWorld;
beforeAll(async () => {
  // Slow enough that a change comes in the middle of an announcement.
  world = await startWorld({ env: { EMAIL_RATE: '40' } });
  const people = Array.from({ length: PEOPLE }, (_, n) => contactOf(n));
  await contactStore(world.database).putMany(people);
});
afterAll(() => world?.end());

const idle = () => untilIdle(world);
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

/** The triggers of an event's mails by mailbox, in order. */
function triggersByMailbox(id: string): Map<string, string[]> {
  const byMailbox = new Map<string, string[]>();
  for (const { recipient, trigger } of mailsOf(id))
    byMailbox.set(recipient, [...(byMailbox.get(recipient) ?? []), String(trigger)]);
  return byMailbox;
}

const inADay = () => new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);

test('publish, postpone and cancel within a second send one cancellation to each notified person and nothing to the others', async () => {
  const registrants = ['person-000001', 'person-000002'];
  const id = await created({ registration_type: 'optional', target_audience: ['students'] });
  await move(id, 'publish');
  for (const user_id of registrants)
    expect((await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id })).status).toBe(201);
  // Wait for the middle of the announcement; confirmations do not count.
  const announcements = () => mailsOf(id).filter(({ trigger }) => trigger === 'event.published');
  await eventually('some announcements are sent', () => announcements().length > 10);
  await move(id, 'postpone', { new_start_date: inADay(), reason: 'Rain' });
  await move(id, 'cancel', { reason: 'Storm' });
  await idle();

  const all = triggersByMailbox(id);
  const notified = [...all].filter(([, triggers]) => triggers.includes('event.published'));
  expect(notified.length).toBeGreaterThan(10);
  expect(notified.length).toBeLessThan(PEOPLE);
  for (const [recipient, triggers] of notified) {
    expect([recipient, triggers.filter((trigger) => trigger === 'event.cancelled')]).toEqual([
      recipient,
      ['event.cancelled'],
    ]);
    expect(triggers.at(-1)).toBe('event.cancelled');
  }
  // People who were not notified need no cancellation; registered people do.
  const others = [...all.keys()].filter((recipient) => !notified.some(([one]) => one === recipient));
  expect(others.filter((recipient) => recipient !== mailbox(1) && recipient !== mailbox(2))).toEqual([]);
  for (const n of [1, 2])
    expect(all.get(mailbox(n))?.filter((trigger) => trigger === 'event.cancelled')).toEqual(['event.cancelled']);
  const skipped = Array.from({ length: PEOPLE }, (_, n) => n).find((n) => !all.has(mailbox(n))) ?? -1;
  const { user_id } = contactOf(skipped);
  const { body } = await world.call('GET', `${E}/${id}/deliveries?user_id=${user_id}`);
  const reasons = (body.why as unknown as { channel: string; trigger: string; reason: string }[])
    .filter(({ channel, trigger }) => channel === 'email' && trigger !== 'event.postponed')
    .map(({ trigger, reason }) => `${trigger} ${reason}`);
  expect(reasons).toHaveLength(2);
  expect(reasons).toContain('event.published event_state');
  // A person whose announcement was stopped at the last moment has a row with the reason.
  expect(reasons.join()).toMatch(/event.cancelled (never_registered|never_told)/);
});

test('an event without registration sends its cancellation to everyone it was announced to, at the same address', async () => {
  const class_id = randomUUID();
  const id = await created({ registration_type: 'none', target_audience: ['staff'], class_id });
  const teacher = (n: number) => contactOf(n, { roles: ['staff'], class_ids: [class_id] });
  const staff = [901, 902, 903].map(teacher);
  await contactStore(world.database).putMany(staff);
  await move(id, 'publish');
  await idle();
  expect(triggersByMailbox(id).size).toBe(3);
  await contactStore(world.database).putMany([teacher(904)]);
  const preview = await world.call('POST', `${E}/${id}/cancel?dry_run=true`, { reason: 'Storm' });
  expect(preview.body).toMatchObject({ people: 3, audience: { email: { told: 3 }, in_app: { told: 3 } } });
  await move(id, 'cancel', { reason: 'Storm' });
  await idle();
  const both = ['event.published', 'event.cancelled'];
  expect(triggersByMailbox(id)).toEqual(new Map([901, 902, 903].map((n) => [mailbox(n), both])));
  const rows = await world.deliveries({ event_id: id, trigger: 'event.cancelled', ...SCHOOL, channel: 'sms' });
  expect(rows).toEqual([]);
});

test('a date corrected in the middle of an announcement is sent to the people who got the wrong date', async () => {
  const id = await created({ registration_type: 'optional' });
  await move(id, 'publish');
  await eventually('some announcements are sent', () => mailsOf(id).length > 10);
  const before = new Set(mailsOf(id).map(({ recipient }) => recipient));
  expect((await world.call('PATCH', `${E}/${id}`, { start_time: '17:00' })).status).toBe(200);
  await eventually('all are notified', () => triggersByMailbox(id).size >= PEOPLE);
  // The notice still waits for further edits; its recipients are known already.
  const waiting = await world.deliveries({ event_id: id, trigger: 'event.changed', channel: 'email' });
  const corrected = new Set(waiting.map(({ address }) => address));
  for (const recipient of before) expect(corrected).toContain(recipient);
  expect(corrected.size).toBeLessThan(PEOPLE);
});
