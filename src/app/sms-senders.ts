import type { Senders } from '../notifications/ports.ts';
import type { SmsConfig, SmsSenderConfig } from './config/config.ts';

/** The numbers and services that people may send STOP to. */
export function smsSendersOf({ senders, urgentSenders }: Pick<SmsConfig, 'senders' | 'urgentSenders'>): Senders {
  const routine = senders.map(idOf);
  return { routine, urgent: urgentSenders.length > 0 ? urgentSenders.map(idOf) : routine };
}

const idOf = (sender: SmsSenderConfig): string => ('from' in sender ? sender.from : sender.messagingServiceSid);
