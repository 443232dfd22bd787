import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { contentOf } from '../../../src/notifications/content/content.ts';
import type { Outgoing } from '../../../src/notifications/content/message.ts';
import type { DeliverDeps } from '../../../src/notifications/delivery/deliver.ts';
import { resolveUnknown } from '../../../src/notifications/delivery/reconcile.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { DeliveryResult, RowResult } from '../../../src/notifications/policy/retry.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { anEvent, aRegistration, aSchool, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

/** The messages that the provider is asked for, and the result if it has none of them. */
async function resolved(row: Delivery, fact: Fact, events: SchoolEvent[], registrations: Registration[]) {
  const asked: Outgoing[] = [];
  const results: DeliveryResult[] = [];
  const find = async (message: Outgoing) => {
    asked.push(message);
    return null;
  };
  const deps = {
    clock: { now: () => NOW },
    adapter: { channel: 'sms', find },
    deliveries: {
      findOverdueUnknown: async () => [row],
      recordReconciled: async ([{ result }]: [RowResult]) => void results.push(result),
    },
    facts: { findMany: async () => [fact] },
    events: { findMany: async (wanted: string[]) => events.filter(({ id }) => wanted.includes(id)) },
    schools: { find: async () => aSchool() },
    registrations: { findStatuses: async () => registrations },
    links: { unsubscribe: () => '', place: () => '' },
    publicUrl: 'https://school.example',
    contentOf,
    readyTexts: async () => {},
    report: () => {},
  };
  await resolveUnknown(deps as unknown as DeliverDeps);
  return { asked, results };
}

const later = new Date(NOW.getTime() + 1);

test('asks the provider for the text with the dates that the reader is registered for', async () => {
  const ids = ['first', 'second', 'third'];
  const events = ids.map((id, n) => {
    const date = `2026-10-1${n}`;
    return anEvent({ id, status: 'cancelled', start_date: date, end_date: date });
  });
  const also = ids.slice(1).map((event_id) => ({ event_id, sequence: 3, notify: null }));
  const cancelled = { sequence: 3, reason: 'storm', notify: null, also };
  const fact = aFact('event.cancelled', cancelled, { event_id: 'first' });
  const registrations = ['second', 'third'].map((event_id) => aRegistration({ id: `r-${event_id}`, event_id }));
  const row = aDelivery({
    event_id: 'first',
    trigger: 'event.cancelled',
    channel: 'sms',
    status: 'unknown',
    registration_ids: registrations.map(({ id }) => id),
  });
  const { asked } = await resolved(row, fact, events, registrations);
  expect(asked.map(({ content }) => content.event.when_short)).toEqual(['Sun 11 Oct, Mon 12 Oct, 18:00']);
});

test('asks the provider for the text with the chosen meetings, without which a reminder would be sent twice', async () => {
  const hosts = [{ user_id: 'jana', name: 'Jana Dvořáková' }];
  const event = anEvent({ slots: { length_minutes: 20, break_minutes: 0, hosts } });
  const registration = aRegistration({ slots: [{ host_user_id: 'jana', minute: 40 }] });
  const about = { trigger: 'reminder.due', channel: 'sms', status: 'unknown' } as const;
  const row = aDelivery({ ...about, registration_ids: [registration.id] });
  const { asked } = await resolved(row, aFact('reminder.due'), [event], [registration]);
  expect(asked.map(({ person }) => person.meetings)).toEqual(['18:40–19:00, Jana Dvořáková']);
});

test.each([
  ['is sent if the provider does not have it', NOW, [{ to: 'waiting', repeated: true }]],
  ['is not sent again if its event was edited since, because the provider may have the old text', later, []],
])('a reminder %s', async (_, updated_at, expected) => {
  const row = aDelivery({ trigger: 'reminder.due', channel: 'sms', status: 'unknown' });
  const { results } = await resolved(row, aFact('reminder.due'), [anEvent({ updated_at })], []);
  expect(results).toMatchObject(expected);
});
