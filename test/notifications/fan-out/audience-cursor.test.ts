import { expect, test } from 'vitest';
import { EVERYONE, loadNextRecipients, splitRecipients } from '../../../src/notifications/fan-out/audience-cursor.ts';
import type { Recipient } from '../../../src/notifications/policy/recipients.ts';
import type { NotificationStores } from '../../../src/notifications/ports.ts';
import { aContact, aRegistration } from '../../support/builders.ts';
import { aFact, anOccasion } from '../../support/message-builders.ts';

const CONTACTS = [aContact('karl', { roles: ['staff'] }), aContact('eva', { roles: ['student'] })];
/** More than one batch. */
const GUESTS = Array.from({ length: 1_100 }, (_, n) => `guest-${1_000 + n}`);
const REGISTERED = ['eva', ...GUESTS, 'karl'].map((user_id) =>
  aRegistration({ id: `of-${user_id}`, user_id, status: user_id === 'eva' ? 'waitlisted' : 'confirmed' }),
);
const deps = {
  contacts: {
    findPage: async () => CONTACTS.slice(0, 1),
    findChildren: async () => [],
    findMany: async (_: unknown, ids: string[]) => CONTACTS.filter(({ user_id }) => ids.includes(user_id)),
  },
  registrations: {
    findPage: async (_: unknown, __: string, { after, limit }: { after: string | null; limit: number }) =>
      REGISTERED.filter(({ id }) => after === null || id > after).slice(0, limit),
  },
} as unknown as NotificationStores;

async function recipients(after_postponement: boolean): Promise<[string, string | null][]> {
  const fact = aFact('event.published', after_postponement ? { after_postponement } : {});
  const occasion = anOccasion(fact, { target_audience: ['staff'] });
  const all: Recipient[] = [];
  for (let after: string | null = null; ; ) {
    const { recipients, next } = await loadNextRecipients(deps, occasion, { ...EVERYONE, after });
    all.push(...recipients);
    if (next === null) return all.map(({ user_id, registration_id }) => [user_id, registration_id]);
    after = next;
  }
}

test('an announcement goes to its audience', async () => {
  expect(await recipients(false)).toEqual([['karl', null]]);
});

// Their notice of the postponement says that they keep their places; only this message has the new date.
test('after a postponement also to those who kept a place and are not in it, each of them once', async () => {
  expect(await recipients(true)).toEqual([
    ['karl', null],
    ...['eva', ...GUESTS].map((user_id) => [user_id, `of-${user_id}`]),
  ]);
});

test('only the last range of the directory continues with those who kept a place', async () => {
  const occasion = anOccasion(aFact('event.published', { after_postponement: true }), { target_audience: ['staff'] });
  const [ofFirst, ofLast] = await Promise.all(
    ['m', null].map((until) => loadNextRecipients(deps, occasion, { after: null, until })),
  );
  expect(ofFirst?.next).toBe(null);
  expect(await splitRecipients(deps, occasion, ofLast?.next ?? '')).toEqual([{ after: ofLast?.next, until: null }]);
});

test('a notice about several dates has all registrations of a person in one batch, and one range', async () => {
  const of = ['event-1', 'event-2'];
  // The thousandth row is the first of the last person.
  const rows = Array.from({ length: 999 }, (_, n) => aRegistration({ id: `r-${n}`, user_id: `guest-${1_000 + n}` }));
  rows.push(...of.map((event_id) => aRegistration({ id: `last-${event_id}`, event_id, user_id: 'last' })));
  const findPageByPerson = async (_: unknown, __: unknown, after: string | null, limit: number) =>
    rows.filter(({ user_id }) => after === null || user_id > after).slice(0, limit);
  const store = { ...deps, registrations: { ...deps.registrations, findPageByPerson } };
  const occasion = anOccasion(aFact('event.cancelled', { also: [{ event_id: 'event-2', sequence: 1 }] } as never));
  const first = await loadNextRecipients(store, occasion, EVERYONE);
  const second = await loadNextRecipients(store, occasion, { ...EVERYONE, after: first.next });
  expect([first.recipients.length, second.recipients.map(({ registration_id }) => registration_id)]).toEqual([
    999,
    ['last-event-1', 'last-event-2'],
  ]);
  expect(await splitRecipients(store, occasion, 'guest-1500')).toEqual([{ after: 'guest-1500', until: null }]);
});

test.each([
  ['themselves alone names no one', [], []],
  [
    'themselves and a child names both',
    [aContact('eva', { roles: ['student'], guardians: ['karl'] })],
    ['karl', 'eva'],
  ],
])('a reminder to confirm to someone who has not confirmed for %s', async (_, children, expected) => {
  const store = {
    ...deps,
    contacts: { ...deps.contacts, findChildren: async () => children },
    acknowledgements: { find: async () => [] },
  } as unknown as NotificationStores;
  const occasion = anOccasion(aFact('acknowledgement.reminded'), { target_audience: ['staff', 'students'] });
  const { recipients } = await loadNextRecipients(store, occasion, EVERYONE);
  expect(recipients.map(({ user_id, concerns }) => [user_id, concerns?.map((one) => one.user_id)])).toEqual([
    ['karl', expected],
  ]);
});
