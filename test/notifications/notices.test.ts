import { expect, test } from 'vitest';
import type { Delivery } from '../../src/notifications/delivery.ts';
import { draftDeliveries } from '../../src/notifications/policy/draft-deliveries.ts';
import { reasonToStop } from '../../src/notifications/policy/gate.ts';
import { unnamedSchool } from '../../src/people/school.ts';
import { anEvent, at } from '../support/builders.ts';
import { aFact } from '../support/message-builders.ts';

const NOW = at('2026-09-01T08:00:00Z');
const TOLD_AT = at('2026-09-01T08:02:00Z');
const noPeople = { guardiansOf: () => [], hasPush: () => false, localeOf: () => null };

const rowOf = (fact: ReturnType<typeof aFact>, now: Date): Delivery => {
  const event = anEvent();
  const dates = [{ event, fact }];
  const occasion = { fact, trigger: 'event.changed' as const, event, dates, school: unnamedSchool(event) };
  const petr = {
    user_id: 'petr',
    contact: null,
    registration_id: null,
    snapshot: null,
    registered_by: null,
  };
  const open = { ...occasion, openChannels: new Set(['in_app'] as const) };
  const row = draftDeliveries(open, [petr], noPeople, now).find(({ channel }) => channel === 'in_app');
  if (!row) throw new Error('no row');
  return row;
};

const changed = aFact('event.changed', {
  sequence: 2,
  schedule_version: 3,
  change_version: 1,
  fields: ['start_time'],
  previous: {
    start_date: '2026-10-16',
    end_date: '2026-10-16',
    start_time: '17:00',
    end_time: '20:00',
    timezone: 'UTC',
    all_day: false,
  },
  tell_at: TOLD_AT,
});

test('a change is due after its two minutes, or immediately if they have passed', () => {
  expect(rowOf(changed, NOW).due_at).toEqual(TOLD_AT);
  const late = at('2026-09-01T09:00:00Z');
  expect(rowOf(changed, late).due_at).toEqual(late);
});

test.each([
  ['the change it tells of is the last', {}, null],
  ['another change has joined it', { change_version: 2 }, 'superseded'],
  ['only its text was edited since', { version: 99, schedule_version: 3 }, null],
  ['the event was unpublished', { status: 'draft' }, 'event_state'],
  ['it was cancelled', { status: 'cancelled' }, 'event_state'],
] as const)('a notice of a change, when %s', (_name, more, reason) => {
  const event = anEvent({ change_version: 1, ...more });
  const rest = { registrations: [], wishes: new Map(), suppressed: new Set<string>(), at: TOLD_AT };
  expect(reasonToStop(rowOf(changed, NOW), { event, fact: changed, ...rest })).toBe(reason);
});
