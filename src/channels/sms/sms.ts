import type { ChannelAdapter } from '../../notifications/channel-adapter.ts';
import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/outcome.ts';
import { allowanceOf, type SmsBudget } from '../../notifications/policy/sms-allowance.ts';
import { ruleOf } from '../../notifications/policy/trigger-table.ts';
import type { CallLimits, Failover } from '../failover.ts';
import type { Texts } from '../templates/catalogue.ts';
import { segmentsOf } from '../templates/short-texts.ts';
import { isE164, type SmsSender, statusCallbackOf, stopSenders, type TwilioClient } from './twilio-client.ts';

export type SmsChannel = ChannelAdapter & {
  /** The text for this person, as `find` compares it. */
  textOf(message: Outgoing): string;
};

type SmsChannelOptions = {
  texts: Pick<Texts, 'sms'>;
  twilio: TwilioClient;
  /** numbers or messaging services by name, the primary first */
  senders: Readonly<Record<string, SmsSender>>;
  /** senders for urgent messages, so that a STOP to the others does not block them; by default the same senders */
  urgentSenders?: Readonly<Record<string, SmsSender>>;
  failover: Failover;
  /** base of the status callback */
  publicUrl: string;
};

/** Text messages through Twilio; its status callback URL contains the delivery id and the fencing token. */
export function smsChannel(options: SmsChannelOptions): SmsChannel {
  const { texts, twilio, senders, urgentSenders = {}, failover, publicUrl } = options;
  const sendersOf = (urgent: boolean) => (urgent && Object.keys(urgentSenders).length > 0 ? urgentSenders : senders);

  const textOf = ({ content, person }: Outgoing): string => texts.sms(content).fill(person);

  async function send(message: Outgoing): Promise<Outcome> {
    const { address, trigger } = message.delivery;
    if (address === null || !isE164(address)) return { kind: 'bad_address', detail: 'sms number' };
    let body: string;
    try {
      body = textOf(message);
    } catch {
      return { kind: 'unclassified', detail: 'sms text' };
    }
    const request = { to: address, body, statusCallback: statusCallbackOf(publicUrl, message.delivery) };
    const { urgent } = ruleOf(trigger);
    const call = (sender: SmsSender, { withinMs }: CallLimits) => twilio.send({ ...request, sender }, withinMs);
    return failover.send(sendersOf(urgent), call, { urgent, recipient: address });
  }

  return {
    channel: 'sms',
    capacity: 25,
    send,
    availability: (urgent) => failover.availability(Object.keys(sendersOf(urgent)), urgent),
    breakers: failover.breakers,
    senders: stopSenders(Object.values(senders), Object.values(urgentSenders)),
    close: () => twilio.close(),
    textOf,
    async find(message, since) {
      const { address } = message.delivery;
      if (address === null) return null;
      const body = textOf(message);
      const found = (await twilio.list(address, since)).find((one) => one.body === body);
      return found ? { provider_id: found.sid } : null;
    },
  };
}

/**
 * Wraps the channel in a daily budget per tenant, counted in paid parts and shared by all processes over the database.
 * Urgent messages have a reserve beyond the budget of the others. Parts of refused messages are given back, but not those
 * of a process that crashed.
 *
 * @param perDay parts a tenant may send on one day
 */
export function withinSmsBudget(channel: SmsChannel, budget: Pick<SmsBudget, 'take' | 'giveBack'>, perDay: number) {
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
