import { describe, expect, test } from 'vitest';
import type { Group } from '../../../src/core/groups.ts';
import { loadNotifiedBefore } from '../../../src/notifications/delivery/notified-before.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { NotificationStores } from '../../../src/notifications/ports.ts';
import { type Fact, factsOfDates } from '../../../src/outbox/fact.ts';
import { anEvent } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const fact = (id: string, says: string, sequence = 3) =>
  aFact('event.published', { sequence, says }, { id, occurred_at: new Date(sequence) });
const FACTS = [fact('first', 'friday', 1), fact('moved', 'monday', 2), fact('~again', 'friday', 3)];
const AGAIN = fact('~again', 'friday', 3);
const rowsOf = (user_ids: string[], more: Partial<Delivery> = {}) =>
  user_ids.map((user_id) => aDelivery({ user_id, fact_id: '~again', ...more })) as Group<Delivery>;
const rows = rowsOf(['eva', 'jan', 'ida', 'karl']);

let questions = 0;
const deps = {
  facts: {
    findMany: async (ids: readonly string[]) => FACTS.filter(({ id }) => ids.includes(id)),
    listOfEvent: async (_scope: unknown, _event_id: string, { types }: { types: string[] }) =>
      types.includes('event.published') ? [...FACTS].reverse() : [],
  },
  deliveries: {
    findOtherAnnouncements: async () => {
      questions += 1;
      return [
        { user_id: 'eva', fact_id: 'first', settled: true, outdates: false },
        { user_id: 'jan', fact_id: 'moved', settled: true, outdates: false },
        { user_id: 'ida', fact_id: 'first', settled: false, outdates: false },
        { user_id: 'otto', fact_id: 'first', settled: true, outdates: false },
        { user_id: 'otto', fact_id: 'revised', settled: true, outdates: true },
      ];
    },
  },
} as unknown as NotificationStores;

const event = anEvent({});
const about = (...facts: Fact[]) => ({ dates: facts.map((fact) => ({ event, fact })), event_ids: [event.id] });
const notifiedOf = async (one: Fact) => {
  const { notified, inFlight } = await loadNotifiedBefore(deps, rows, about(one));
  return { notified: [...(notified.get(event.id) ?? [])], inFlight: [...inFlight] };
};

describe('published again', () => {
  test('separates people notified of the same date and place from people with a message in flight', async () => {
    expect(await notifiedOf(AGAIN)).toEqual({ notified: ['eva'], inFlight: ['ida'] });
  });

  test('notifies people again who know that the event was being revised, and no other registered people', async () => {
    const registered = rowsOf(['otto', 'unaware'], { registration_ids: ['r1'] });
    const notifiedBy = async (one: Fact) => {
      const again = { ...one, data: { ...one.data, after_unpublishing: true } } as Fact;
      return [...((await loadNotifiedBefore(deps, registered, about(again))).notified.get(event.id) ?? [])];
    };
    expect(await notifiedBy(fact('~again', 'monday', 3))).toEqual(['jan', 'unaware']);
    // Friday is news to those who know that it was moved to Monday.
    expect(await notifiedBy(AGAIN)).toEqual(['eva']);
  });

  test('waits for a notice in flight that the event is being revised', async () => {
    const revised = { user_id: 'eva', fact_id: 'revised', settled: false, outdates: true };
    const deliveries = { ...deps.deliveries, findOtherAnnouncements: async () => [revised] };
    const { inFlight } = await loadNotifiedBefore({ ...deps, deliveries }, rows, about(AGAIN));
    expect([...inFlight]).toEqual(['eva']);
  });

  test('passes over a newer notice in flight, which tells its own news', async () => {
    const known = { user_id: 'eva', fact_id: 'first', settled: true, outdates: false };
    const newer = { user_id: 'eva', fact_id: '~newer', settled: false, outdates: true };
    const deliveries = { ...deps.deliveries, findOtherAnnouncements: async () => [known, newer] };
    const { notified, inFlight } = await loadNotifiedBefore({ ...deps, deliveries }, rows, about(AGAIN));
    expect([notified.get(event.id), inFlight]).toEqual([new Set(['eva']), new Set()]);
  });

  test('notifies people again whose last announcement named another date', async () => {
    const known = { user_id: 'eva', settled: true, outdates: false };
    const announced = [
      { ...known, fact_id: 'first' },
      { ...known, fact_id: 'moved' },
    ];
    const deliveries = { ...deps.deliveries, findOtherAnnouncements: async () => announced };
    const { notified } = await loadNotifiedBefore({ ...deps, deliveries }, rows, about(AGAIN));
    expect([...(notified.get(event.id) ?? [])]).toEqual([]);
  });

  test('notifies people again whom a message reached while the event had another date', async () => {
    const known = { fact_id: 'first', settled: true, outdates: false };
    const changed = aFact('event.changed', {}, { id: 'changed', occurred_at: new Date(2) });
    const facts = { ...deps.facts, listOfEvent: async () => [changed] };
    const reachedSince: unknown[] = [];
    const deliveries = {
      ...deps.deliveries,
      findOtherAnnouncements: async () => ['eva', 'jan'].map((user_id) => ({ ...known, user_id })),
      findReachedSince: async (of: { user_ids: readonly string[] }, since: Date) => {
        reachedSince.push([of.user_ids, since]);
        return ['jan'];
      },
    };
    const { notified } = await loadNotifiedBefore({ ...deps, facts, deliveries }, rows, about(AGAIN));
    expect([...(notified.get(event.id) ?? [])]).toEqual(['eva']);
    expect(reachedSince).toEqual([[['eva', 'jan'], changed.occurred_at]]);
  });

  test('counts no one as notified of another date or place', async () => {
    expect(await notifiedOf(fact('other', 'sunday'))).toEqual({ notified: [], inFlight: [] });
  });

  test.each([
    ['the first announcement', fact('first', 'friday', 1)],
    ['one of an older program', aFact('event.published', { sequence: 3 })],
    ['another kind of news', aFact('event.cancelled', { sequence: 3 })],
  ])('%s asks nothing', async (_, one) => {
    questions = 0;
    expect((await loadNotifiedBefore(deps, rows, about(one))).notified.size).toBe(0);
    expect(questions).toBe(0);
  });
});

test('a correction reaches only people who were notified, and waits for messages in flight', async () => {
  const cancelled = aFact('event.cancelled', {}, { id: 'off' });
  const noticesOf = (registration_ids: string[]) =>
    rowsOf(['eva', 'ida', 'karl'], { fact_id: 'off', trigger: 'event.cancelled', registration_ids });
  const { neverNotified, inFlight } = await loadNotifiedBefore(deps, noticesOf([]), about(cancelled));
  expect([...neverNotified]).toEqual(['karl']);
  expect([...inFlight]).toEqual(['ida']);
  expect((await loadNotifiedBefore(deps, noticesOf(['r1']), about(cancelled))).neverNotified.size).toBe(0);
});

test('dates of a series that are published again notify of those that have changed', async () => {
  const series = (id: string, says: string, sequence: number) => {
    const also = [{ event_id: 'event-2', sequence, schedule_version: 1, says }];
    return aFact('event.published', { sequence, says: 'friday', also }, { id });
  };
  const earlier = series('first', 'saturday', 1);
  const again = series('~again', 'sunday', 2);
  const dates = factsOfDates(again).map((own) => ({ event: anEvent({ id: own.event_id }), fact: own }));
  const announced = [{ user_id: 'eva', fact_id: 'first', settled: true, outdates: false }];
  const stores = {
    facts: { findMany: async () => [earlier], listOfEvent: async () => [] },
    deliveries: { findOtherAnnouncements: async () => announced },
  } as unknown as NotificationStores;
  const { notified } = await loadNotifiedBefore(stores, rows, { dates, event_ids: ['event-1', 'event-2'] });
  expect([...notified]).toEqual([
    ['event-1', new Set(['eva'])],
    ['event-2', new Set()],
  ]);
});
