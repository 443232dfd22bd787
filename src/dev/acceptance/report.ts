import { setTimeout as delay } from 'node:timers/promises';
import { fromKeys } from '../../core/objects.ts';
import { type Delivery, isOpen } from '../../notifications/delivery.ts';
import { readAllRows } from '../api-client.ts';
import type { Paint } from '../progress.ts';
import type { DemoPerson } from '../school/demo-person.ts';
import type { Scene } from '../school/load-school.ts';
import type { System } from '../system.ts';

/** An event of the day, and how many messages about it must have been sent so far. */
export type ScriptedEvent = { id: string; title: string; sends: Counts };

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
    return [`  ${paint('bold', name)}${lines.length === 0 ? ' received nothing' : ''}`, ...lines];
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

const CHANNELS = ['email', 'sms', 'push', 'in_app'] as const;
type Channel = (typeof CHANNELS)[number];
export type Counts = Readonly<Partial<Record<Channel, number>>>;

/** The messages of one event, as `GET /events/:id/deliveries` lists them. */
export type DeliveryRow = Pick<Delivery, 'id' | 'user_id' | 'trigger' | 'channel' | 'status' | 'reason'>;

const TIMEOUT_MS = 15_000;
const POLL_MS = 100;

export const addCounts = (one: Counts, other: Counts, sign: 1 | -1 = 1): Counts =>
  fromKeys(CHANNELS, (channel) => (one[channel] ?? 0) + sign * (other[channel] ?? 0));

/** Reads until the result is complete, 15 seconds at most. */
async function poll<T>(read: () => Promise<T>, isComplete: (found: T) => boolean, signal: AbortSignal): Promise<T> {
  for (const until = Date.now() + TIMEOUT_MS; ; await delay(POLL_MS, undefined, { signal })) {
    const found = await read();
    if (isComplete(found) || Date.now() > until) return found;
  }
}

/** Waits until the service has sent as many messages of an event as expected. @returns how many */
export const untilSent = (scene: Scene, { id, sends }: ScriptedEvent): Promise<Counts> =>
  poll(
    () => countSent(scene, id),
    (sent) => CHANNELS.every((channel) => (sent[channel] ?? 0) >= (sends[channel] ?? 0)),
    scene.signal,
  );

/** Counts the messages of an event that the service has sent. */
async function countSent({ ask, tokens }: Scene, event_id: string): Promise<Counts> {
  type Outcome = { channel: Channel; status: string; count: number };
  const { body } = await ask<{ data: Outcome[] }>(tokens.staff, `/operations/events/${event_id}/deliveries/summary`);
  const sent = body.data.filter(({ status }) => status === 'sent');
  return sent.reduce<Counts>((counts, { channel, count }) => addCounts(counts, { [channel]: count }), {});
}

/** Waits until no message of an event is on its way. */
export const untilAtRest = ({ ask, tokens, signal }: Scene, event_id: string): Promise<DeliveryRow[]> =>
  poll(
    () => readAllRows<DeliveryRow>(ask, tokens.staff, `/operations/events/${event_id}/deliveries`),
    (rows) => !rows.some(isOpen),
    signal,
  );

/** Compares the messages of an event that the service has sent with those of the script, and with what the providers have got. */
export function findFaults(
  { title, sends }: ScriptedEvent,
  rows: readonly DeliveryRow[],
  { smtp, twilio, push }: Pick<System, 'smtp' | 'twilio' | 'push'>,
): string[] {
  const counts = CHANNELS.flatMap((channel) => {
    const sent = rows.filter((row) => row.channel === channel && row.status === 'sent').length;
    const expected = sends[channel] ?? 0;
    return sent === expected ? [] : [`${title} by ${channel}: ${sent} sent, ${expected} expected`];
  });
  const arrived = [
    ...smtp.messages.map(({ delivery }) => delivery),
    ...twilio.messages.map(({ delivery }) => delivery),
    ...push.messages.map(({ payload }) => payload.delivery),
  ];
  const arrivals = rows.flatMap(({ id, user_id, trigger, channel, status }) => {
    const times = arrived.filter((delivery) => delivery === id).length;
    const isRight = channel === 'in_app' || times === 1 || (times === 0 && status !== 'sent');
    return isRight ? [] : [`${title}, ${trigger} by ${channel} to ${user_id}: ${status}, and arrived ${times} times`];
  });
  return [...counts, ...arrivals];
}
