import { expect, test } from 'vitest';
import type { Delivery } from '../../src/notifications/delivery.ts';
import { reasonToStop } from '../../src/notifications/policy/gate.ts';
import { anEvent, at, NOW } from '../support/builders.ts';
import { aFact, anOccasion } from '../support/message-builders.ts';
import { draft, to } from './policy/drafting.ts';

const TOLD_AT = at('2026-09-01T08:02:00Z');

const rowOf = (fact: ReturnType<typeof aFact>, now: Date): Delivery => {
  const [row] = draft(
    anOccasion(fact, {}, { openChannels: new Set(['in_app']) }),
    [to('petr', null, { registration_id: null })],
    {},
    now,
  );
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
