import type { Paint } from '../progress.ts';
import type { DemoPerson } from '../school/demo-person.ts';
import type { ScriptedEvent } from './day.ts';
import type { Channel, Counts, DeliveryRow } from './messages.ts';

const CHANNEL_NAMES: Record<Channel, string> = { email: 'e-mail', sms: 'SMS', push: 'push', in_app: 'in the app' };

const TRIGGER_NAMES: Record<string, string> = {
  'event.published': 'new event',
  'registration.confirmed': 'registration confirmed',
  'registration.waitlisted': 'on the waitlist',
  'event.postponed': 'postponed',
  'event.cancelled': 'cancelled',
  'reminder.due': 'reminder',
};

/** Lists what each person received, one line per event: `Class meeting: reminder (e-mail, SMS)`. */
export function receivedLines(
  sent: readonly { event: ScriptedEvent; rows: readonly DeliveryRow[] }[],
  directory: readonly DemoPerson[],
  paint: Paint,
): string[] {
  return directory.flatMap(({ user_id, name }) => {
    const lines = sent.flatMap(({ event, rows }) => {
      const parts = Object.entries(TRIGGER_NAMES).flatMap(([trigger, words]) => {
        const own = rows.filter((row) => row.user_id === user_id && row.trigger === trigger && hasReached(row));
        const channels = Object.entries(CHANNEL_NAMES).flatMap(([channel, channelName]) => {
          const count = own.filter((row) => row.channel === channel).length;
          return count === 0 ? [] : [`${channelName}${count > 1 ? ` ×${count}` : ''}`];
        });
        return channels.length === 0 ? [] : [`${words} (${channels.join(', ')})`];
      });
      return parts.length === 0 ? [] : [`    ${event.title}: ${parts.join('; ')}`];
    });
    return [`  ${paint.bold(name)}${lines.length === 0 ? ' received nothing' : ''}`, ...lines];
  });
}

/** People who share an address get one message together. */
const hasReached = ({ status, reason }: DeliveryRow): boolean => status === 'sent' || reason === 'same_address';

/** `3 e-mails, 1 push, 12 in the app` */
export function countsInWords({ email = 0, sms = 0, push = 0, in_app = 0 }: Counts): string {
  const parts = [
    [email, email === 1 ? 'e-mail' : 'e-mails'],
    [sms, 'SMS'],
    [push, push === 1 ? 'push' : 'pushes'],
    [in_app, 'in the app'],
  ] as const;
  return parts.flatMap(([count, name]) => (count > 0 ? [`${count} ${name}`] : [])).join(', ') || 'no messages';
}
