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
 * The same channel, which hands over no more than each tenant has for the day, counted in the parts a text is paid as
 * and kept in the database for all processes. What is urgent still goes out when the budget for the rest is used up.
 * What no provider took is given back; what a process took with it into its end is not.
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
    const told = paid.length > 0 ? await channel.send(paid.map(({ message }) => message)) : [];
    for (const [i, { message, at, parts }] of paid.entries()) {
      const outcome = told[i] ?? { kind: 'unclassified', detail: 'no outcome' };
      outcomes[at] = outcome;
      if (outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous')
        await budget.giveBack(message.delivery.tenant_id, parts).catch(() => {});
    }
    return outcomes;
  }

  /** All of them where they fit together, else as many as do, in their order. */
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

  /** A text that can't be made is the channel's to judge, and costs nothing. */
  function partsOf(message: Outgoing): number {
    try {
      return segmentsOf(channel.textOf(message));
    } catch {
      return 0;
    }
  }

  return { ...channel, send };
}
