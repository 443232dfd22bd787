import { expect, test } from 'vitest';
import { failover } from '../../../src/channels/failover.ts';
import { smsChannel } from '../../../src/channels/sms/sms.ts';
import type { TwilioClient } from '../../../src/channels/sms/twilio-client.ts';
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
    delivery: { tenant_id, trigger: urgent ? 'event.cancelled' : 'message', address: '+420777123456' },
    content: 'x'.repeat(parts === 1 ? 100 : parts * 153),
  }) as unknown as Outgoing;

/** A channel with a budget of 10 parts a day, whose provider answers with this outcome. */
const channelOf = (outcome: Outcome, budget: ReturnType<typeof budgetOf>, sent: string[] = []) =>
  smsChannel({
    texts: { sms: (content: unknown) => ({ fill: () => content }) } as never,
    twilio: {
      send: async ({ body }: { body: string }) => {
        sent.push(body);
        return outcome;
      },
    } as unknown as TwilioClient,
    senders: { twilio: { from: '+420111222333' } },
    failover: failover({ names: ['twilio'], sendTimeoutMs: 1_000 }),
    publicUrl: 'https://school.example',
    budget: { ...budget, perDay: 10 },
  });

const ACCEPTED: Outcome = { kind: 'accepted', provider_id: 'SM1' };
const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);

test('sends messages in order while their parts fit into the budget of their tenant', async () => {
  const budget = budgetOf({ t2: 9 });
  const sent: string[] = [];
  const messages = [sms(4), sms(4), sms(4), sms(1), sms(2, 't2'), sms(1, 't2')];
  const channel = channelOf(ACCEPTED, budget, sent);
  expect(kinds(await Promise.all(messages.map(channel.send)))).toEqual([
    'accepted',
    'accepted',
    'over_budget',
    'accepted',
    'over_budget',
    'accepted',
  ]);
  expect(sent).toEqual([0, 1, 3, 5].map((at) => messages[at]?.content));
  expect(budget.used).toEqual({ t1: 9, t2: 10 });
});

test('sends urgent messages from their reserve after the budget is used up', async () => {
  const budget = budgetOf({ t1: 10 });
  const channel = channelOf(ACCEPTED, budget);
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
  await channelOf({ kind, detail: 'x' } as Outcome, budget).send(sms(3));
  expect(budget.used).toEqual({ t1: used });
});

test('defers all messages while the budget is unavailable', async () => {
  const sent: string[] = [];
  const channel = channelOf(ACCEPTED, budgetOf({}, true), sent);
  expect(kinds(await Promise.all([sms(1), sms(1)].map(channel.send)))).toEqual(['infrastructure', 'infrastructure']);
  expect(sent).toEqual([]);
});
