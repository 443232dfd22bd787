import { expect, test } from 'vitest';
import { EVERYONE, loadNextRecipients } from '../../../src/notifications/fan-out/audience-cursor.ts';
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
