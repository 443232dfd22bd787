import type { Paint } from '../progress.ts';
import type { DemoPerson } from '../school/demo-person.ts';
import type { ScriptedEvents } from './day.ts';
import { CHANNELS, type Channel, type Trigger } from './expectations.ts';
import type { Finding } from './findings.ts';
import type { State } from './mailboxes.ts';

const CHANNEL_NAMES: Record<Channel, string> = { email: 'e-mail', sms: 'SMS', push: 'push', in_app: 'in the app' };

const TRIGGER_NAMES: Record<Trigger, string> = {
  'event.published': 'new event',
  'registration.confirmed': 'registration confirmed',
  'registration.waitlisted': 'on the waitlist',
  'event.postponed': 'postponed',
  'event.cancelled': 'cancelled',
  'reminder.due': 'reminder',
};

/** Lists what each person received, one line per event: `Class meeting: reminder (e-mail, SMS)`. */
export function receivedLines(
  { expected, arrivals }: Pick<State, 'expected' | 'arrivals'>,
  directory: readonly DemoPerson[],
  events: ScriptedEvents,
  paint: Paint,
): string[] {
  const came = expected.flatMap((one, n) => (arrivals[n] ?? []).map(() => one));
  return directory.flatMap(({ user_id, name }) => {
    const own = came.filter(({ receivers }) => receivers.includes(user_id));
    const lines = events.flatMap(({ id, title }) => {
      const parts = Object.entries(TRIGGER_NAMES).flatMap(([trigger, words]) => {
        const messages = own.filter((one) => one.event_id === id && one.trigger === trigger);
        const channels = CHANNELS.flatMap((channel) => {
          const count = messages.filter((one) => one.channel === channel).length;
          return count === 0 ? [] : [`${CHANNEL_NAMES[channel]}${count > 1 ? ` ×${count}` : ''}`];
        });
        return channels.length === 0 ? [] : [`${words} (${channels.join(', ')})`];
      });
      return parts.length === 0 ? [] : [`    ${title}: ${parts.join('; ')}`];
    });
    return [`  ${paint.bold(name)}${lines.length === 0 ? ' received nothing' : ''}`, ...lines];
  });
}

/** `3 e-mails, 1 push, 12 in the app` */
export function countsInWords(counts: Record<Channel, number>): string {
  const { email, sms, push, in_app } = counts;
  const parts = [
    [email, email === 1 ? 'e-mail' : 'e-mails'],
    [sms, 'SMS'],
    [push, push === 1 ? 'push' : 'pushes'],
    [in_app, 'in the app'],
  ] as const;
  return parts.flatMap(([count, name]) => (count > 0 ? [`${count} ${name}`] : [])).join(', ') || 'no messages';
}

/** One line about a finding, with the title of its event. */
export const findingLine = ({ kind, text }: Finding, events: ScriptedEvents, paint: Paint): string =>
  `  ${paint.red(kind)}  ${events.reduce((line, { id, title }) => line.replaceAll(id, title), text)}`;

/** Counts expected messages and findings in one line. */
export function summaryOf({ expected, findings }: Pick<State, 'expected' | 'findings'>, seconds: number): string {
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length;
  const faults = ['missing', 'doubled', 'unexpected', 'wrong', 'record'].map((kind) => `${count(kind)} ${kind}`);
  return `${expected.length} messages expected: ${faults.join(', ')}; ${seconds.toFixed(0)} s`;
}
