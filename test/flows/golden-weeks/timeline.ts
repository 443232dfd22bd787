import { addDays, instantOf, wallTimeOf } from '../../../src/core/zoned-time.ts';
import type { Contact } from '../../../src/people/contact.ts';

export type Sent = { _id: string; event_id: string; due_at: Date; expires_at: Date | null };

/** One entry of the timeline. */
export type Entry = { at: Date } & (
  | { kind: 'done' | 'moved'; what: string }
  | { kind: 'sent'; channel: string; user_id: string; of: { trigger: string; title: string; when: string }[] }
  | { kind: 'not sent'; channel?: unknown; user_id?: unknown; trigger?: unknown; reason?: unknown; title: string }
);

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * Prints entries as a diary in the school's zone: each action, then who received what. People who received the same at the
 * same time share a line; a person in another zone has their own time beside the name. On days on which the clocks change,
 * each time has its offset.
 */
export function timelineOf(entries: readonly Entry[], zone: string, people: ReadonlyMap<string, Contact>): string {
  const lines: string[] = [];
  let day = '';
  for (const group of grouped(inOrder(entries))) {
    const [first] = group;
    if (!first) continue;
    const { date } = wallTimeOf(first.at, zone);
    const time = spelled(first.at, zone);
    if (date !== day) lines.push(...(day === '' ? [] : ['']), `${DAYS[new Date(date).getUTCDay()]} ${date}`);
    day = date;
    const names = group.map((entry) => nameOf(entry, people, zone)).sort();
    lines.push(...textOf(first, time, names.join(', ')));
  }
  return `${lines.join('\n')}\n`;
}

function spelled(at: Date, zone: string): string {
  const { date, time } = wallTimeOf(at, zone);
  const midnight = (day: string) => offsetAt(instantOf({ date: day, time: '00:00', zone }), zone);
  return midnight(date) === midnight(addDays(date, 1)) ? time : `${time} (UTC+${offsetAt(at, zone) / 60})`;
}

/** Minutes by which the wall clock is ahead of UTC. */
function offsetAt(at: Date, zone: string): number {
  const { date, time } = wallTimeOf(at, zone);
  return Math.round((Date.parse(`${date}T${time}Z`) - at.getTime()) / 60_000);
}

const RANK = ['done', 'moved', 'sent', 'not sent'];
const CHANNELS = ['email', 'sms', 'in_app'];

/** Sorts entries of one moment, which have no order, so that the text is stable. */
function inOrder(entries: readonly Entry[]): Entry[] {
  let part = 0;
  const keyed = entries.map((entry, at) => {
    if (entry.kind === 'done') part += 1;
    const channel = 'channel' in entry ? CHANNELS.indexOf(String(entry.channel)) : 0;
    const said = saidBy(entry);
    return { entry, at, key: [part, entry.at.getTime(), RANK.indexOf(entry.kind), channel, said] as const };
  });
  const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);
  return keyed
    .sort((a, b) => a.key.map((one, n) => compare(one, b.key[n] ?? 0)).find((sign) => sign !== 0) ?? a.at - b.at)
    .map(({ entry }) => entry);
}

/** The order of states within one moment. */
const STATES = ['published', 'started', 'completed'];

function saidBy(entry: Entry): string {
  switch (entry.kind) {
    case 'done':
      return '';
    case 'moved':
      return `${STATES.findIndex((state) => entry.what.endsWith(state))} ${entry.what}`;
    case 'sent':
      return JSON.stringify(entry.of);
    case 'not sent':
      return JSON.stringify([entry.trigger, entry.title]);
  }
}

/** Neighbours that differ in nothing but the person. */
function grouped(entries: readonly Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  let part = 0;
  for (const entry of entries) {
    if (entry.kind === 'done') part += 1;
    const { user_id: _, at, ...same } = entry as Entry & { user_id?: string };
    const message =
      entry.kind === 'not sent' ? [entry.channel, entry.trigger, entry.reason, entry.title] : JSON.stringify(same);
    const key = `${part} ${at.toISOString()} ${entry.kind} ${message}`;
    const known = groups.get(key);
    if (known) known.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()];
}

function nameOf(entry: Entry, people: ReadonlyMap<string, Contact>, zone: string): string {
  if (!('user_id' in entry)) return '';
  const person = people.get(String(entry.user_id));
  const own = person?.timezone && person.timezone !== zone ? ` (${wallTimeOf(entry.at, person.timezone).time})` : '';
  return `${person?.name ?? entry.user_id}${own}`;
}

function textOf(entry: Entry, time: string, names: string): string[] {
  switch (entry.kind) {
    case 'done':
      return [`  ${time}  ${entry.what}`];
    case 'moved':
      return [`  ${time}    ${entry.what}, by the clock`];
    case 'not sent':
      return [
        `  ${time}    not sent  ${entry.channel} to ${names}: ${wordOf(String(entry.trigger))} ${entry.title}: ${entry.reason}`,
      ];
    case 'sent': {
      const parts = entry.of.map(
        ({ trigger, title, when }) => `${wordOf(trigger)} ${title} (${when || 'no date yet'})`,
      );
      const head = `  ${time}    ${entry.channel.padEnd(6)} to ${names}:`;
      return parts.length === 1
        ? [`${head} ${parts[0]}`]
        : [`${head} ${parts.length} in one`, ...parts.map((part) => `${' '.repeat(18)}${part}`)];
    }
  }
}

const wordOf = (trigger: string): string => trigger.replace(/^(event|registration)\./, '').replace('.due', '');
