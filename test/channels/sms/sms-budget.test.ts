import { expect, test } from 'vitest';
import { type SmsChannel, withinSmsBudget } from '../../../src/channels/sms/sms.ts';
import type { Outgoing } from '../../../src/notifications/content/message.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';

/** A budget in memory; `away` simulates a database that does not answer. */
function budgetOf(used: Record<string, number> = {}, away = false) {
  return {
    used,
    take: async (tenant: string, parts: number, limit: number) => {
      if (away) throw new Error('away');
      const fits = (used[tenant] ?? 0) + parts <= limit;
      if (fits) used[tenant] = (used[tenant] ?? 0) + parts;
      return fits;
    },
    giveBack: async (tenant: string, parts: number) => {
      used[tenant] = (used[tenant] ?? 0) - parts;
    },
  };
}

/** A message whose text has this many parts. */
const sms = (parts: number, tenant_id = 't1', urgent = false) =>
  ({
    delivery: { tenant_id, trigger: urgent ? 'event.cancelled' : 'message' },
    text: 'x'.repeat(parts === 1 ? 100 : parts * 153),
  }) as unknown as Outgoing;

const channelOf = (outcome: Outcome, sent: Outgoing[] = []) =>
  ({
    textOf: (message: { text: string }) => message.text,
    send: async (message: Outgoing) => {
      sent.push(message);
      return outcome;
    },
  }) as unknown as SmsChannel;

const ACCEPTED: Outcome = { kind: 'accepted', provider_id: 'SM1' };
const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);

test('sends messages in order while their parts fit into the budget of their tenant', async () => {
  const budget = budgetOf({ t2: 9 });
  const sent: Outgoing[] = [];
  const messages = [sms(4), sms(4), sms(4), sms(1), sms(2, 't2'), sms(1, 't2')];
  const channel = withinSmsBudget(channelOf(ACCEPTED, sent), budget, 10);
  expect(kinds(await Promise.all(messages.map(channel.send)))).toEqual([
    'accepted',
    'accepted',
    'over_budget',
    'accepted',
    'over_budget',
    'accepted',
  ]);
  expect(sent).toEqual([messages[0], messages[1], messages[3], messages[5]]);
  expect(budget.used).toEqual({ t1: 9, t2: 10 });
});

test('sends urgent messages from their reserve after the budget is used up', async () => {
  const budget = budgetOf({ t1: 10 });
  const channel = withinSmsBudget(channelOf(ACCEPTED), budget, 10);
  expect(kinds(await Promise.all([sms(1), sms(6, 't1', true)].map(channel.send)))).toEqual(['over_budget', 'accepted']);
  expect(await channel.send(sms(6, 't1', true))).toMatchObject({ kind: 'over_budget' });
});

test.each([
  ['refused', 0],
  ['infrastructure', 0],
  ['throttled', 0],
  ['accepted', 3],
  ['ambiguous', 3],
] as const)('after %s, %i parts stay counted', async (kind, used) => {
  const budget = budgetOf();
  await withinSmsBudget(channelOf({ kind, detail: 'x' } as Outcome), budget, 10).send(sms(3));
  expect(budget.used).toEqual({ t1: used });
});

test('defers all messages while the budget is unavailable', async () => {
  const sent: Outgoing[] = [];
  const channel = withinSmsBudget(channelOf(ACCEPTED, sent), budgetOf({}, true), 10);
  expect(kinds(await Promise.all([sms(1), sms(1)].map(channel.send)))).toEqual(['infrastructure', 'infrastructure']);
  expect(sent).toEqual([]);
});
