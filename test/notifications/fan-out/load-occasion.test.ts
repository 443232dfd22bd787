import { expect, test } from 'vitest';
import { loadPeople } from '../../../src/notifications/fan-out/load-occasion.ts';
import type { Occasion } from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Recipient } from '../../../src/notifications/policy/recipients.ts';
import type { NotificationStores } from '../../../src/notifications/ports.ts';
import { addressesOf } from '../../../src/people/contact.ts';
import { aContact, anEvent, aSchool } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

const occasion = {
  fact: aFact('event.cancelled'),
  trigger: 'event.cancelled',
  event: anEvent(),
  school: aSchool(),
} as unknown as Occasion;

const eva = aContact('eva', { email: 'Eva@people.example', phone: '+420601123456' });
const jan = aContact('jan', { email: 'jan@people.example' });

function loading() {
  const queries: string[][] = [];
  const deps = {
    contacts: {
      findMany: async () => [],
      findByAddresses: async (_: unknown, addresses: string[]) => {
        queries.push(addresses);
        return [eva, jan].filter((one) => addressesOf(one).some((address) => addresses.includes(address)));
      },
    },
    preferences: {
      findMany: async (_: unknown, user_ids: string[]) =>
        user_ids.map((user_id) => ({ user_id, locale: null, opted_out: [], quiet_hours: 'off' })),
    },
    pushSubscriptions: { findMany: async () => [] },
  } as unknown as NotificationStores;
  return { queries, load: (recipients: Recipient[]) => loadPeople(deps, occasion, recipients) };
}

const recipient = (user_id: string, snapshot: Recipient['snapshot'], contact = aContact(user_id)): Recipient => ({
  user_id,
  contact,
  registration_id: `registration-${user_id}`,
  snapshot,
  registered_by: user_id,
});

test('finds the owners of all given addresses of a batch, with their preferences, in one query', async () => {
  const { queries, load } = loading();
  const { ownersOf, preferences } = await load([
    recipient('mallory', { email: 'EVA@people.example', phone: null }),
    recipient('trent', { email: 'trent@elsewhere.example', phone: '+420601123456' }),
    recipient('oscar', { email: 'eva@people.example', phone: null }),
  ]);
  expect(queries).toEqual([['eva@people.example', 'trent@elsewhere.example', '+420601123456']]);
  const owners = (address: string) => ownersOf(address).map(({ user_id }) => user_id);
  expect(owners('eva@People.example')).toEqual(['eva']);
  expect(owners('+420601123456')).toEqual(['eva']);
  expect(owners('trent@elsewhere.example')).toEqual([]);
  expect(preferences.get('eva')?.quiet_hours).toBe('off');
});

test('queries no addresses if the directory has all of them for their recipients', async () => {
  const { queries, load } = loading();
  await load([recipient('eva', { email: 'eva@PEOPLE.example', phone: null }, eva), recipient('jan', null, jan)]);
  expect(queries).toEqual([]);
});
