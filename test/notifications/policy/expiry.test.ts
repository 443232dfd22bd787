import { expect, test } from 'vitest';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { anEvent } from '../../support/builders.ts';

/** decisions.md "too late": the concert is from 18:00 to 20:00. */
const TOO_LATE: Record<Trigger, string | null> = {
  'reminder.due': '2026-10-16T18:00:00.000Z',
  'event.starting': '2026-10-16T18:15:00.000Z',
  'event.published': '2026-10-16T20:00:00.000Z',
  'event.changed': '2026-10-16T20:00:00.000Z',
  'event.unpublished': '2026-10-16T20:00:00.000Z',
  'registration.pending': '2026-10-16T20:00:00.000Z',
  'registration.waitlisted': '2026-10-16T20:00:00.000Z',
  'registration.confirmed': '2026-10-16T20:00:00.000Z',
  'registration.declined': '2026-10-16T20:00:00.000Z',
  'registration.cancelled': '2026-10-16T20:00:00.000Z',
  'registration.refused': '2026-10-16T20:00:00.000Z',
  'event.cancelled': null,
  'event.postponed': null,
  'message.answered': null,
  'message.school': null,
  'message.urgent': null,
  'acknowledgement.due': null,
  message: null,
};

test.each(Object.entries(TOO_LATE))('%s is useless from %s', (trigger, expires) => {
  expect(
    ruleOf(trigger as Trigger)
      .expiresAt(anEvent())
      ?.toISOString() ?? null,
  ).toBe(expires);
});

test('the start notice of an all-day event, which quiet hours defer, is useless from its end', () => {
  const day = { starts_at: new Date('2026-10-16T00:00Z'), ends_at: new Date('2026-10-17T00:00Z') };
  expect(ruleOf('event.starting').expiresAt(anEvent({ all_day: true, ...day }))).toEqual(day.ends_at);
});
