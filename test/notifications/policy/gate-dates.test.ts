import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { expiryOf } from '../../../src/notifications/policy/draft-deliveries.ts';
import { gateOfDates, isSilencedOn, type Now, statesOfDates } from '../../../src/notifications/policy/gate.ts';
import { anEvent, aRegistration, at, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const CANCELLED = aFact('event.cancelled', { sequence: 3, reason: 'storm', notify: null });
const REST = { preferences: new Map(), suppressed: new Set<string>(), at: NOW };

/** Eva is registered for the first and the third date. */
const REGISTRATIONS = ['first', 'third'].map((event_id) => aRegistration({ id: `r-${event_id}`, event_id }));
const ofEva = aDelivery({ trigger: 'event.cancelled', registration_ids: ['r-first', 'r-third'] });

const state = (id: string, event: Partial<SchoolEvent> = {}, more: Partial<Now> = {}): Now => ({
  ...REST,
  event: anEvent({ id, status: 'cancelled', ...event }),
  fact: CANCELLED,
  registrations: REGISTRATIONS,
  ...more,
});
const gate = (delivery: Delivery, ...dates: Now[]) => {
  const { open, reason } = gateOfDates(delivery, dates);
  return { open: open.map(({ event }) => event?.id), reason };
};

describe('a message about several dates', () => {
  test('names only the dates that its reader is registered for', () => {
    const dates = ['first', 'second', 'third'].map((id) => state(id));
    expect(gate(ofEva, ...dates)).toEqual({ open: ['first', 'third'], reason: null });
    expect(statesOfDates(ofEva, dates).map(({ event }) => event?.id)).toEqual(['first', 'third']);
    const others = ['second', 'fourth'].map((id) => state(id));
    expect(gate(ofEva, ...others)).toEqual({ open: [], reason: 'registration_ended' });
  });

  test('names all dates if it concerns no registration', () => {
    const dates = ['first', 'second'].map((id) => state(id, {}, { registrations: [] }));
    const open = ['first', 'second'];
    expect(gate({ ...ofEva, registration_ids: [] }, ...dates)).toEqual({ open, reason: null });
  });

  test('leaves out a date that is no longer true, and stops if none is left', () => {
    const again = state('first', { status: 'published' });
    expect(gate(ofEva, again, state('third'))).toEqual({ open: ['third'], reason: null });
    expect(gate(ofEva, again, state('third', { status: 'draft' }))).toEqual({ open: [], reason: 'event_state' });
  });

  test('leaves out a date whose registration has ended, and a deleted one', () => {
    const [first] = REGISTRATIONS;
    const left = [{ ...(first as (typeof REGISTRATIONS)[0]), status: 'cancelled' as const }, ...REGISTRATIONS.slice(1)];
    const dates = [state('first', {}, { registrations: left }), state('third', {}, { registrations: left })];
    expect(gate(ofEva, ...dates)).toEqual({ open: ['third'], reason: null });
    expect(gate(ofEva, state('first', {}, { event: null }), state('third')).open).toEqual(['third']);
  });

  test('leaves out an announced date that is over', () => {
    const published = aFact('event.published', { sequence: 1, schedule_version: 1 }, { occurred_at: NOW });
    const on = (id: string, ends_at: Date) =>
      state(id, { status: 'published', published_at: NOW, ends_at }, { fact: published, registrations: [] });
    const over = on('first', at('2026-09-01T07:00:00Z'));
    const ahead = on('second', at('2026-09-08T07:00:00Z'));
    expect(gate(aDelivery({ expires_at: at('2026-09-08T07:00:00Z') }), over, ahead).open).toEqual(['second']);
  });

  test('is stored by an earlier program as a message about one date, with all its registrations', () => {
    // Its registrations may be known without their event.
    expect(gate(ofEva, state('other'))).toEqual({ open: ['other'], reason: null });
    expect(gate(ofEva, state('other', { status: 'draft' }))).toEqual({ open: [], reason: 'event_state' });
  });
});

test('a message about several dates expires with the last, and is silent if all are', () => {
  const fact = aFact('event.published');
  const dates = ['2026-09-08T07:00:00Z', '2026-09-15T07:00:00Z'].map((end, n) => ({
    event: anEvent({ id: `event-${n}`, ends_at: at(end), send_notifications: n === 0 }),
    fact,
  }));
  expect(expiryOf({ dates, trigger: 'event.published' })).toEqual(at('2026-09-15T07:00:00Z'));
  expect(expiryOf({ dates: dates.slice(0, 1), trigger: 'event.published' })).toEqual(at('2026-09-08T07:00:00Z'));
  expect(expiryOf({ dates, trigger: 'event.cancelled' })).toBeNull();
  expect(isSilencedOn({ dates })).toBe(false);
  expect(isSilencedOn({ dates: dates.slice(1) })).toBe(true);
});
