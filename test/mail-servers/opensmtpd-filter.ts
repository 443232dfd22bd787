import { createInterface } from 'node:readline';
import { firstTries, type Setting } from './server.ts';

/**
 * The filter process of OpenSMTPD (its protocol: smtpd-filters(7)). Takes the setting as its argument; limits connections
 * at their start, and rate and greylisting at each recipient.
 */
const setting: Setting = JSON.parse(process.argv[2] ?? '{}');
const RATE_MS = 10_000;

const isFirst = firstTries();
const sessions = new Set<string>();
const accepted: number[] = [];

const say = (line: string) => process.stdout.write(`${line}\n`);

function decideOnConnection(session: string): string {
  sessions.add(session);
  return setting.connections && sessions.size > setting.connections
    ? 'disconnect|421 4.7.0 Too many connections'
    : 'proceed';
}

function decideOnRecipient(recipient: string): string {
  if (setting.greylisting && isFirst(recipient)) return 'reject|450 4.2.0 Greylisted';
  const now = Date.now();
  while (accepted.length > 0 && (accepted[0] ?? 0) < now - RATE_MS) accepted.shift();
  if (setting.rate && accepted.length >= setting.rate) return 'reject|450 4.7.1 Too many messages, slow down';
  accepted.push(now);
  return 'proceed';
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [kind, , , , phase, session = '', token, value = ''] = line.split('|');
  if (line === 'config|ready') {
    for (const what of ['filter|smtp-in|connect', 'filter|smtp-in|rcpt-to', 'report|smtp-in|link-disconnect', 'ready'])
      say(`register|${what}`);
  } else if (kind === 'report') {
    sessions.delete(session);
  } else if (kind === 'filter') {
    const decision = phase === 'connect' ? decideOnConnection(session) : decideOnRecipient(value);
    say(`filter-result|${session}|${token}|${decision}`);
  }
});
