import { expect, test } from 'vitest';
import { previewSpending } from '../../../src/notifications/policy/sms-allowance.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';

const TODAY = new Date('2026-09-01T08:00:00Z');
const TOMORROW = new Date('2026-09-02T05:00:00Z');
const row = (trigger: Trigger = 'message', tenant_id = 't1', due_at = TODAY) => ({ tenant_id, trigger, due_at });

test('a message that exceeds the tenant’s day is skipped, a smaller one may still fit', async () => {
  const fits = previewSpending({ perDay: 10, readUsed: async (tenant) => (tenant === 't1' ? 5 : 0) });
  expect([await fits(row(), 3), await fits(row(), 3), await fits(row(), 2), await fits(row(), 1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(await fits(row('message', 't2'), 10)).toBe(true);
});

test('urgent messages may use the same amount again, deferred ones count for their day', async () => {
  const fits = previewSpending({ perDay: 10, readUsed: async (_, at) => (at < TOMORROW ? 10 : 0) });
  expect([await fits(row(), 1), await fits(row('event.cancelled'), 10), await fits(row('event.cancelled'), 1)]).toEqual(
    [false, true, false],
  );
  expect(await fits(row('message', 't1', TOMORROW), 10)).toBe(true);
  const later = new Date(TOMORROW.getTime() + 60_000);
  expect(await fits(row('message', 't1', later), 1)).toBe(false);
});

test('without a budget everything fits', async () => {
  const fits = previewSpending({ perDay: null, readUsed: async () => 1_000_000 });
  expect(await fits(row(), 1_000)).toBe(true);
});
