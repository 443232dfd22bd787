import type { ChannelAdapter } from '../../notifications/channel-adapter.ts';
import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/outcome.ts';
import { allowanceOf, type SmsBudget } from '../../notifications/policy/sms-allowance.ts';
import { ruleOf } from '../../notifications/policy/trigger-table.ts';
import type { CallLimits, Failover } from '../failover.ts';
import type { Texts } from '../templates/catalogue.ts';
import { segmentsOf } from '../templates/short-texts.ts';
import { isE164, type SmsSender, statusCallbackOf, stopSenders, type TwilioClient } from './twilio-client.ts';

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
  /** how many paid parts a tenant may send on one day; missing: no limit */
  budget?: Pick<SmsBudget, 'take' | 'giveBack'> & { perDay: number };
};

/**
 * Text messages through Twilio; its status callback URL contains the delivery id and the fencing token. All processes share
 * the daily budget of a tenant. Urgent messages have a reserve beyond the budget of the others. Parts of refused messages are
 * given back, but not those of a process that crashed.
 */
export function smsChannel(options: SmsChannelOptions): ChannelAdapter {
  const { texts, twilio, senders, urgentSenders = {}, failover, publicUrl, budget } = options;
  const sendersOf = (urgent: boolean) => (urgent && Object.keys(urgentSenders).length > 0 ? urgentSenders : senders);

  const textOf = ({ content, person }: Outgoing): string => texts.sms(content).fill(person);

  async function send(message: Outgoing): Promise<Outcome> {
    const { address, trigger, tenant_id } = message.delivery;
    if (address === null || !isE164(address)) return { kind: 'bad_address', detail: 'sms number' };
    let body: string;
    try {
      body = textOf(message);
    } catch {
      return { kind: 'unclassified', detail: 'sms text' };
    }
    const request = { to: address, body, statusCallback: statusCallbackOf(publicUrl, message.delivery) };
    const { urgent } = ruleOf(trigger);
    const parts = segmentsOf(body);
    const isGranted = budget
      ? await budget.take(tenant_id, parts, allowanceOf(budget.perDay, urgent)).catch(() => null)
      : true;
    if (isGranted === null) return { kind: 'infrastructure', detail: 'sms budget' };
    if (!isGranted) return { kind: 'over_budget', detail: 'sms budget' };
    const call = (sender: SmsSender, { withinMs }: CallLimits) => twilio.send({ ...request, sender }, withinMs);
    const outcome = await failover.send(sendersOf(urgent), call, { urgent, recipient: address });
    if (outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous')
      await budget?.giveBack(tenant_id, parts).catch(() => {});
    return outcome;
  }

  return {
    channel: 'sms',
    capacity: 25,
    send,
    availability: (urgent) => failover.availability(Object.keys(sendersOf(urgent)), urgent),
    breakers: failover.breakers,
    senders: stopSenders(Object.values(senders), Object.values(urgentSenders)),
    close: () => twilio.close(),
    async find(message, since) {
      const { address } = message.delivery;
      if (address === null) return null;
      const body = textOf(message);
      const found = (await twilio.list(address, since)).find((one) => one.body === body);
      return found ? { provider_id: found.sid } : null;
    },
  };
}
