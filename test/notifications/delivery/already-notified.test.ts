import { describe, expect, test } from 'vitest';
import type { Group } from '../../../src/core/groups.ts';
import { loadEarlier, loadNotifiedBefore } from '../../../src/notifications/delivery/notified-before.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { NamedDate } from '../../../src/notifications/policy/gate.ts';
import type { EarlierMessage, NotificationStores } from '../../../src/notifications/ports.ts';
import { type Fact, factsOfDates } from '../../../src/outbox/fact.ts';
import { anEvent } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const fact = (id: string, says: string, sequence = 3) =>
  aFact('event.published', { sequence, says }, { id, occurred_at: new Date(sequence) });
const message = (user_id: string, fact_id: string, more: Partial<EarlierMessage> = {}) => ({
  ...{ user_id, fact_id, event_id: 'event-1', trigger: 'event.published', status: 'sent' },
  ...{ reason: null, repeated: false, settled_at: new Date(2), ...more },
});
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
    findOthers: async () => {
      questions += 1;
      return [
        message('eva', 'first'),
        message('jan', 'moved'),
        message('ida', 'first', { status: 'sending', settled_at: null }),
        message('otto', 'first'),
        message('otto', 'revised', { trigger: 'event.unpublished' }),
      ];
    },
  },
} as unknown as NotificationStores;

const event = anEvent({});
const about = (fact: Fact) => [{ event, fact }];
const load = async (stores: NotificationStores, to: Group<Delivery>, dates: NamedDate[]) =>
  loadNotifiedBefore(stores, to, dates, await loadEarlier(stores, to, dates));
const notifiedOf = async (one: Fact) => {
  const { notified, inFlight } = await load(deps, rows, about(one));
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
      return [...((await load(deps, registered, about(again))).notified.get(event.id) ?? [])];
    };
    expect(await notifiedBy(fact('~again', 'monday', 3))).toEqual(['jan', 'unaware']);
    // Friday is news to those who know that it was moved to Monday.
    expect(await notifiedBy(AGAIN)).toEqual(['eva']);
  });

  test.each<[string, Partial<EarlierMessage>]>([
    ['it will be sent again', { status: 'waiting', repeated: true, settled_at: null }],
    ['its outcome is not known', { status: 'unknown', settled_at: null }],
  ])('waits for an announcement that may have arrived, because %s', async (_, more) => {
    const deliveries = { ...deps.deliveries, findOthers: async () => [message('eva', 'first', more)] };
    const { inFlight } = await load({ ...deps, deliveries } as NotificationStores, rows, about(AGAIN));
    expect([...inFlight]).toEqual(['eva']);
  });

  test('waits for a notice in flight that the event is being revised', async () => {
    const revised = message('eva', 'revised', { trigger: 'event.unpublished', status: 'claimed' });
    const deliveries = { ...deps.deliveries, findOthers: async () => [revised] };
    const { inFlight } = await load({ ...deps, deliveries } as NotificationStores, rows, about(AGAIN));
    expect([...inFlight]).toEqual(['eva']);
  });

  test('passes over a newer notice in flight, which tells its own news', async () => {
    const newer = message('eva', '~newer', { trigger: 'event.unpublished', status: 'claimed' });
    const deliveries = { ...deps.deliveries, findOthers: async () => [message('eva', 'first'), newer] };
    const { notified, inFlight } = await load({ ...deps, deliveries } as NotificationStores, rows, about(AGAIN));
    expect([notified.get(event.id), inFlight]).toEqual([new Set(['eva']), new Set()]);
  });

  test('notifies people again whose last announcement named another date', async () => {
    const announced = [message('eva', 'first'), message('eva', 'moved')];
    const deliveries = { ...deps.deliveries, findOthers: async () => announced };
    const { notified } = await load({ ...deps, deliveries } as NotificationStores, rows, about(AGAIN));
    expect([...(notified.get(event.id) ?? [])]).toEqual([]);
  });

  test('notifies people again whom a message reached while the event had another date', async () => {
    const changed = aFact('event.changed', {}, { id: 'changed', occurred_at: new Date(2) });
    const facts = { ...deps.facts, listOfEvent: async () => [changed] };
    const [before, after] = [{ settled_at: new Date(1) }, { settled_at: new Date(2) }];
    const reminder = { trigger: 'reminder.due' } as const;
    const deliveries = {
      ...deps.deliveries,
      findOthers: async () => [
        ...['eva', 'jan', 'ida', 'karl'].map((user_id) => message(user_id, 'first', before)),
        message('eva', 'reminder', { ...reminder, ...before }),
        message('jan', 'reminder', { ...reminder, ...after }),
        message('ida', 'reminder', { ...reminder, status: 'sending', settled_at: null }),
        message('karl', 'reminder', { ...reminder, status: 'waiting', settled_at: null }),
      ],
    };
    const { notified } = await load({ ...deps, facts, deliveries } as NotificationStores, rows, about(AGAIN));
    expect([...(notified.get(event.id) ?? [])]).toEqual(['eva', 'karl']);
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
    expect((await load(deps, rows, about(one))).notified.size).toBe(0);
    expect(questions).toBe(0);
  });
});

test('a correction reaches only people who were notified, and waits for messages in flight', async () => {
  const cancelled = aFact('event.cancelled', {}, { id: 'off' });
  const noticesOf = (registration_ids: string[]) =>
    rowsOf(['eva', 'ida', 'karl'], { fact_id: 'off', trigger: 'event.cancelled', registration_ids });
  const { neverNotified, inFlight } = await load(deps, noticesOf([]), about(cancelled));
  expect([...neverNotified]).toEqual(['karl']);
  expect([...inFlight]).toEqual(['ida']);
  expect((await load(deps, noticesOf(['r1']), about(cancelled))).neverNotified.size).toBe(0);
});

test('dates of a series that are published again notify of those that have changed', async () => {
  const series = (id: string, says: string, sequence: number) => {
    const also = [{ event_id: 'event-2', sequence, schedule_version: 1, says }];
    return aFact('event.published', { sequence, says: 'friday', also }, { id });
  };
  const earlier = series('first', 'saturday', 1);
  const again = series('~again', 'sunday', 2);
  const dates = factsOfDates(again).map((own) => ({ event: anEvent({ id: own.event_id }), fact: own }));
  const stores = {
    facts: { findMany: async () => [earlier], listOfEvent: async () => [] },
    deliveries: { findOthers: async () => [message('eva', 'first')] },
  } as unknown as NotificationStores;
  const { notified } = await load(stores, rows, dates);
  expect([...notified]).toEqual([
    ['event-1', new Set(['eva'])],
    ['event-2', new Set()],
  ]);
});
