import type { Paint } from '../progress.ts';
import type { ScriptedEvents } from './day.ts';
import type { Channel } from './expectations.ts';
import type { Finding } from './findings.ts';
import type { State } from './mailboxes.ts';

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
