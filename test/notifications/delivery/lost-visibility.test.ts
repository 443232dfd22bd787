import { expect, test } from 'vitest';
import { loadLostVisibility } from '../../../src/notifications/delivery/history.ts';
import type { NotificationStores } from '../../../src/notifications/ports.ts';
import { aContact, anEvent, at, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const PEOPLE = [
  aContact('karl', { roles: ['staff'] }),
  aContact('anna', { class_ids: ['5A'], guardians: ['eva'] }),
  aContact('eva', { roles: ['parent'] }),
];
const asked: string[][] = [];
const contacts = {
  findMany: async (_: unknown, ids: readonly string[]) => {
    asked.push([...ids]);
    return PEOPLE.filter(({ user_id }) => ids.includes(user_id));
  },
  findChildren: async () => PEOPLE.slice(1, 2),
};
const rows = ['karl', 'anna', 'eva', 'gone'].map((user_id) => aDelivery({ user_id }));
const fact = aFact('event.published', {}, { occurred_at: NOW });
const LATER = at('2026-09-01T08:00:01Z');
const EARLIER = at('2026-09-01T07:54:59Z');
const clock = { now: () => NOW };
const hiddenFrom = async (more: object, about = rows) => {
  const event = anEvent(more);
  return [
    ...((await loadLostVisibility({ clock, contacts } as unknown as NotificationStores, about, [{ event, fact }])).get(
      event.id,
    ) ?? []),
  ].sort();
};

test.each([
  ['staff only', { visibility: 'staff_only' }, ['anna', 'eva', 'gone']],
  ['a class', { visibility: 'restricted', restricted_to: { class_ids: ['5A'] } }, ['gone', 'karl']],
  ['all members', { visibility: 'internal' }, ['gone']],
])('finds people who lost access after a change: %s', async (_, more, expected) => {
  expect(await hiddenFrom({ updated_at: LATER, ...more })).toEqual(expected);
});

test('queries no one while the event is unchanged since its announcement', async () => {
  asked.length = 0;
  expect(await hiddenFrom({ updated_at: NOW, visibility: 'staff_only' })).toEqual([]);
  expect(asked).toEqual([]);
});

test.each([
  ['waited for the end of quiet hours', { held_until: LATER }],
  ['was retried by staff', { redriven_at: LATER }],
  ['was drafted more than five minutes ago', { created_at: EARLIER }],
])('finds people who lost access before a message is sent that %s', async (_, more) => {
  const waited = rows.map((row) => ({ ...row, ...more }));
  expect(await hiddenFrom({ updated_at: NOW, visibility: 'staff_only' }, waited)).toEqual(['anna', 'eva', 'gone']);
});

test('never excludes registered people', async () => {
  const registered = rows.map((row) => ({ ...row, trigger: 'event.cancelled' as const, registration_ids: ['r1'] }));
  expect(await hiddenFrom({ updated_at: LATER, visibility: 'staff_only' }, registered)).toEqual([]);
});

test('finds people who lost access although only one message of a batch waited', async () => {
  const waited = rows.map((row, n) => ({ ...row, held_until: n === 0 ? LATER : null }));
  expect(await hiddenFrom({ updated_at: NOW, visibility: 'staff_only' }, waited)).toEqual(['anna', 'eva', 'gone']);
});

test('finds people who lost access before a reminder to confirm, and asks for no answer to a text message', async () => {
  const of = (trigger: 'acknowledgement.due' | 'message.answered') =>
    hiddenFrom(
      { updated_at: LATER, visibility: 'staff_only' },
      rows.map((row) => ({ ...row, trigger })),
    );
  expect(await of('acknowledgement.due')).toEqual(['anna', 'eva', 'gone']);
  expect(await of('message.answered')).toEqual([]);
});

test('excludes recipients of corrections who lost access', async () => {
  const corrected = rows.map((row) => ({ ...row, trigger: 'event.cancelled' as const }));
  expect(await hiddenFrom({ updated_at: NOW, visibility: 'staff_only' }, corrected)).not.toEqual([]);
});
