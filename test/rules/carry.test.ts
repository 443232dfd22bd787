import { expect, test } from 'vitest';
import { carried } from '../../src/notifications/carry.ts';
import type { DeliverDeps } from '../../src/notifications/deliver.ts';
import type { Outcome } from '../../src/notifications/outcome.ts';
import type { Settlement } from '../../src/notifications/ports.ts';
import { aDelivery, aFact, anEvent, aSchool, NOW } from '../support/builders.ts';

const event = anEvent({ status: 'published' });
const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: event.published_at ?? NOW });
const about = { event_id: event.id, fact_id: fact.id, trigger: fact.type, channel: 'sms', claim: 'ours' } as const;
const row = (id: string, address: string) => aDelivery({ ...about, id, user_id: id, address, status: 'sending' });
const goes = row('goes', '+420601000001');
const stops = row('stops', '+420601000002');
const consent = { wishes: new Map(), suppressed: new Set<string>(), stopped: new Set(['+420601000002']) };

/** What carrying asks for, for one event, with what it writes and reports. */
function parts(send: () => Promise<Outcome[]>, more: Partial<DeliverDeps> = {}) {
  const written: Settlement[] = [];
  const reported: string[] = [];
  const deps = {
    clock: { now: () => NOW },
    random: () => 0.5,
    events: { findMany: async () => [event] },
    facts: { findMany: async () => [fact], find: async () => fact },
    schools: { find: async () => aSchool() },
    contacts: { findMany: async () => [], childrenOf: async () => [] },
    registrations: { standings: async () => [] },
    suppressions: {},
    deliveries: {
      announced: async () => [],
      onTheWire: async () => [],
      settle: async (settlements: Settlement[]) => void written.push(...settlements),
    },
    adapter: { chunk: 25, send },
    links: { place: () => '', unsubscribe: () => '' },
    publicUrl: 'http://school.example',
    organizerAddress: 'office@school.example',
    contentOf: () => ({ key: 'content', calendar: null }),
    report: ({ id, to }: Settlement) => void reported.push(`${id} ${to}`),
    ...more,
  } as unknown as DeliverDeps;
  return { deps, written, reported };
}

test('what the gate stops is written before the others of its chunk have an answer', async () => {
  let answer: (outcomes: Outcome[]) => void = () => {};
  let isOnTheWire = () => {};
  const onTheWire = new Promise<void>((resolve) => {
    isOnTheWire = resolve;
  });
  const { deps, written, reported } = parts(() => {
    isOnTheWire();
    return new Promise<Outcome[]>((resolve) => {
      answer = resolve;
    });
  });
  const ending = carried(deps, [goes, stops], 'ours', consent);
  await onTheWire;
  expect(written).toMatchObject([{ id: 'stops', to: 'skipped', reason: 'opted_out' }]);
  expect(reported).toEqual(['stops skipped']);
  answer([{ kind: 'accepted' }]);
  expect((await ending).settlements).toMatchObject([{ id: 'goes', to: 'sent' }]);
});

/** Fails like a program that knows nothing of what one row names. */
const failingOver =
  (id: string, fault: Error): NonNullable<DeliverDeps['readyTexts']> =>
  async (rows) => {
    if (rows.some((one) => one.id === id)) throw fault;
  };
const taken = async (): Promise<Outcome[]> => [{ kind: 'accepted' }];

test('a row that makes judging fail is a fault of its own, and the others of its chunk go out', async () => {
  const readyTexts = failingOver('odd', new TypeError('no such language'));
  const { deps, written } = parts(taken, { readyTexts });
  await carried(deps, [row('odd', '+420601000003'), goes], 'ours', consent).then(({ settlements }) => {
    expect([...written, ...settlements]).toMatchObject([
      { id: 'odd', to: 'waiting', errors: 1, detail: 'not judged' },
      { id: 'goes', to: 'sent' },
    ]);
  });
  const last = { ...row('odd', '+420601000003'), errors: 4 };
  const { settlements } = await carried(deps, [last], 'ours', consent);
  expect(settlements).toMatchObject([{ id: 'odd', to: 'quarantined', reason: 'errors' }]);
});

test('where the database fails all of them are given back, and nothing is held against them', async () => {
  const { deps, written } = parts(taken, { readyTexts: failingOver('odd', new Error('connection lost')) });
  await expect(carried(deps, [row('odd', '+420601000003'), goes], 'ours', consent)).rejects.toThrow('connection lost');
  expect(written).toMatchObject([
    { id: 'odd', to: 'waiting', errors: 0 },
    { id: 'goes', to: 'waiting', errors: 0 },
  ]);
});
