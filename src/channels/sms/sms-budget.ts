import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/delivery/outcome.ts';
import { allowanceOf } from '../../notifications/policy/sms-allowance.ts';
import { ruleOf } from '../../notifications/policy/trigger.ts';
import type { SmsBudget } from '../../notifications/ports.ts';
import { segmentsOf } from '../templates/gsm7.ts';
import type { SmsChannel } from './sms.ts';

const isUrgent = ({ delivery }: Outgoing): boolean => ruleOf(delivery.trigger).urgent;

type Counted = { message: Outgoing; at: number; parts: number };

/**
 * Wraps the channel in a daily budget per tenant, counted in paid parts and shared by all processes over the database.
 * Urgent messages have a reserve beyond the budget of the others. Parts of refused messages are given back, but not those
 * of a process that crashed.
 *
 * @param perDay parts a tenant may send on one day
 */
export function withinSmsBudget(
  channel: SmsChannel,
  budget: Pick<SmsBudget, 'take' | 'giveBack'>,
  perDay: number,
): SmsChannel {
  async function send(messages: readonly Outgoing[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = messages.map(() => ({ kind: 'over_budget', detail: 'sms budget' }));
    const paid: Counted[] = [];
    for (const group of groupsOf(messages)) {
      const granted = await grant(group).catch(() => null);
      if (granted) paid.push(...granted);
      else for (const { at } of group) outcomes[at] = { kind: 'infrastructure', detail: 'sms budget' };
    }
    const sent = paid.length > 0 ? await channel.send(paid.map(({ message }) => message)) : [];
    for (const [i, { message, at, parts }] of paid.entries()) {
      const outcome = sent[i] ?? { kind: 'unclassified', detail: 'no outcome' };
      outcomes[at] = outcome;
      if (outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous')
        await budget.giveBack(message.delivery.tenant_id, parts).catch(() => {});
    }
    return outcomes;
  }

  /** Takes parts for the whole group if they fit, else for each message in order that fits. */
  async function grant(group: readonly Counted[]): Promise<Counted[]> {
    const [first] = group;
    if (!first) return [];
    const { tenant_id } = first.message.delivery;
    const limit = allowanceOf(perDay, isUrgent(first.message));
    const take = (parts: number) => budget.take(tenant_id, parts, limit);
    if (await take(group.reduce((sum, { parts }) => sum + parts, 0))) return [...group];
    const granted: Counted[] = [];
    if (group.length > 1) for (const one of group) if (await take(one.parts)) granted.push(one);
    return granted;
  }

  function groupsOf(messages: readonly Outgoing[]): Counted[][] {
    const groups = new Map<string, Counted[]>();
    for (const [at, message] of messages.entries()) {
      const key = `${isUrgent(message)} ${message.delivery.tenant_id}`;
      groups.set(key, [...(groups.get(key) ?? []), { message, at, parts: partsOf(message) }]);
    }
    return [...groups.values()];
  }

  /** A text that can't be composed costs nothing; the channel reports the fault. */
  function partsOf(message: Outgoing): number {
    try {
      return segmentsOf(channel.textOf(message));
    } catch {
      return 0;
    }
  }

  return { ...channel, send };
}
