import type { Paint } from '../progress.ts';
import type { DemoPerson } from '../school/demo-person.ts';
import type { ScriptedEvents } from './day.ts';
import { CHANNELS, type Channel, type Excluded, type Trigger, WHY, type Why } from './expectations.ts';
import type { Finding } from './findings.ts';
import type { State } from './mailboxes.ts';

type Result = Pick<State, 'expected' | 'excluded' | 'arrivals'>;

const CHANNEL_NAMES: Record<Channel, string> = { email: 'e-mail', sms: 'SMS', push: 'push', in_app: 'in the app' };

const MARKS: Record<Trigger, [mark: string, words: string]> = {
  'event.published': ['n', 'new event'],
  'registration.confirmed': ['c', 'registration confirmed'],
  'event.postponed': ['m', 'postponed'],
  'event.cancelled': ['x', 'cancelled'],
  'reminder.due': ['r', 'reminder'],
};

/** A table of received messages: one row per person, one column per channel. */
export function arrivalsTable(
  result: Result,
  directory: readonly DemoPerson[],
  events: ScriptedEvents,
  paint: Paint,
): string[] {
  const header = ['', ...CHANNELS.map((channel) => CHANNEL_NAMES[channel])];
  const rows = directory.map((person) => [
    `${person.name}${person.locale === 'en' ? ' (en)' : ''}`,
    ...CHANNELS.map((channel) => cellOf(person, channel, result, directory, events)),
  ]);
  const legend = [
    ...events.map(({ letter, title }) => `  ${paint.bold(letter)} ${title}`),
    `  ${Object.values(MARKS)
      .map(([mark, words]) => `${paint.bold(mark)} ${words}`)
      .join(' · ')}`,
    `  ${paint.bold('=')} one message for a shared address · ${paint.bold('→')} sent to a guardian`,
  ];
  return [...legend, '', ...table(header, rows, paint)];
}

function cellOf(
  person: DemoPerson,
  channel: Channel,
  result: Result,
  directory: readonly DemoPerson[],
  events: ScriptedEvents,
): string {
  const came = result.expected
    .map((one, i) => ({ ...one, count: result.arrivals[i]?.length ?? 0 }))
    .filter((one) => one.channel === channel && one.count > 0);
  const own = came.filter(({ receivers }) => receivers.includes(person.user_id));
  if (own.length > 0) {
    const parts = events.flatMap(({ letter, id }) => {
      const marks = own.filter((one) => one.event_id === id).map((one) => MARKS[one.trigger][0].repeat(one.count));
      return marks.length > 0 ? [`${letter}${marks.join('')}`] : [];
    });
    return parts.join(' ') + (own.some(({ receivers }) => receivers.length > 1) ? ' =' : '');
  }
  const [through] = came.filter(({ about }) => about.includes(person.user_id)).flatMap(({ receivers }) => receivers);
  const guardian = directory.find(({ user_id }) => user_id === through);
  return guardian ? `→ ${guardian.name}` : '–';
}

function table(header: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [paint.bold(line(header)), ...rows.map(line)];
}

/** Tables of the people who were not notified, grouped by reason. */
export function reasonsTable(
  result: Result,
  directory: readonly DemoPerson[],
  events: ScriptedEvents,
  paint: Paint,
): string[] {
  const nameOf = new Map(directory.map(({ user_id, name }) => [user_id, name]));
  return events.flatMap(({ letter, title, id }) => {
    const groups = grouped(result.excluded.filter(({ event_id }) => event_id === id));
    const rows = groups.map(({ trigger, channels, why, user_ids }) => [
      MARKS[trigger][1],
      channels.map((channel) => CHANNEL_NAMES[channel]).join(', ') || 'on any channel',
      WHY[why],
      namesIn(user_ids.map((user_id) => nameOf.get(user_id) ?? user_id)),
    ]);
    return ['', `${paint.bold(letter)} ${title}`, ...table(['message', 'channel', 'reason', 'people'], rows, paint)];
  });
}

type Group = { trigger: Trigger; channels: Channel[]; why: Why; user_ids: string[] };

/** Merges the channels on which the same people were excluded for the same reason. */
function grouped(excluded: readonly Excluded[]): Group[] {
  const sets = new Map<string, Omit<Group, 'channels'> & { channel: Channel | null; ids: Set<string> }>();
  for (const { trigger, channel, why, user_id } of excluded) {
    const key = [trigger, channel, why].join(' ');
    const set = sets.get(key) ?? { trigger, channel, why, user_ids: [], ids: new Set() };
    sets.set(key, set);
    set.ids.add(user_id);
  }
  const groups = new Map<string, Group>();
  for (const { trigger, channel, why, ids } of sets.values()) {
    const user_ids = [...ids];
    const key = [trigger, why, ...user_ids].join(' ');
    const group = groups.get(key) ?? { trigger, channels: [], why, user_ids };
    groups.set(key, group);
    if (channel) group.channels.push(channel);
  }
  return [...groups.values()];
}

function namesIn(names: readonly string[]): string {
  return names.length <= 4 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
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
  `  ${paint.red(kind)}  ${events.reduce((line, { id, letter, title }) => line.replaceAll(id, `${letter} ${title}`), text)}`;

/** Counts expected messages and findings in one line. */
export function summaryOf({ expected, findings }: Pick<State, 'expected' | 'findings'>, seconds: number): string {
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length;
  const faults = ['missing', 'doubled', 'unexpected', 'wrong', 'record'].map((kind) => `${count(kind)} ${kind}`);
  return `${expected.length} messages expected: ${faults.join(', ')}; ${seconds.toFixed(0)} s`;
}
