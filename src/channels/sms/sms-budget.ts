import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/delivery/outcome.ts';
import { allowanceOf } from '../../notifications/policy/sms-allowance.ts';
import { ruleOf } from '../../notifications/policy/trigger.ts';
import type { SmsBudget } from '../../notifications/ports.ts';
import { segmentsOf } from '../templates/gsm7.ts';
import type { SmsChannel } from './sms.ts';

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
  async function send(message: Outgoing): Promise<Outcome> {
    const { tenant_id, trigger } = message.delivery;
    const parts = partsOf(message);
    const limit = allowanceOf(perDay, ruleOf(trigger).urgent);
    const isGranted = await budget.take(tenant_id, parts, limit).catch(() => null);
    if (isGranted === null) return { kind: 'infrastructure', detail: 'sms budget' };
    if (!isGranted) return { kind: 'over_budget', detail: 'sms budget' };
    const outcome = await channel.send(message);
    if (outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous')
      await budget.giveBack(tenant_id, parts).catch(() => {});
    return outcome;
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
