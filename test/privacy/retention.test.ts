import { expect, test } from 'vitest';
import { type OldRecords, type RetentionCursor, removeOldRecords } from '../../src/privacy/retention.ts';
import { NOW, SCOPE } from '../support/builders.ts';

test('each round continues in events and inboxes where the one before ended, until both are at their end', async () => {
  const asked: string[] = [];
  const eva = { ...SCOPE, user_id: 'eva' };
  const old = {
    findEvents: async (after: string | null) => {
      asked.push(`events after ${after}`);
      return { events: [], next: after === null ? 'b' : null };
    },
    removeBounces: async () => asked.push('bounces'),
    removeInboxEntries: async (after: typeof eva | null) => {
      asked.push(`inboxes after ${after?.user_id}`);
      return { removed: 0, next: after ? (after.user_id === 'eva' ? { ...SCOPE, user_id: 'zoe' } : null) : eva };
    },
  } as unknown as OldRecords;
  const days = { deliveries: 365, inbox: 365, history: 365 };
  let from: RetentionCursor | null = null;
  do {
    from = (await removeOldRecords({ clock: { now: () => NOW }, old }, days, from)).next;
  } while (from && asked.length < 20);
  expect(asked).toEqual([
    ...['events after null', 'inboxes after undefined'],
    ...['events after b', 'bounces', 'inboxes after eva'],
    'inboxes after zoe',
  ]);
});
