import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '../system.ts';
import type { DemoPerson } from './demo-person.ts';
import type { Scene } from './load-school.ts';
import { schoolDay, schoolNow, termReports } from './term.ts';
import { SERIES, TERM } from './term-events.ts';

const EVENTS = '/operations/events';
/** The day begins after that even if messages of the term are still on their way. */
const WAIT_MS = 60_000;
const QUIET_MS = 2_000;

type Imported = { items: { status: string; errors?: object }[] };

/**
 * Loads the term around today and waits until its messages have left, so that they do not delay those of the day. Mail to
 * people whose address bounces is refused from now on.
 */
export async function loadTerm(scene: Scene): Promise<void> {
  const { ask, tokens, directory, system, progress } = scene;
  refuseDeadAddresses(system, directory);
  await progress.step('Import a term of events from the previous system', async ({ result }) => {
    const now = schoolNow();
    const items = termReports(directory, system.apiUrl, now);
    const [{ body }] = await Promise.all([
      ask<Imported>(tokens.staff, '/ingest', { method: 'POST', body: { items }, status: 202 }),
      ...SERIES.map(async ({ from, ...fields }) => {
        const start_date = schoolDay(now, from).toISODate();
        const body = { ...fields, start_date, end_date: start_date, recurrence_pattern: 'weekly', is_recurring: true };
        const created = await ask<{ id: string }>(tokens.staff, EVENTS, { method: 'POST', body, status: 201 });
        await ask(tokens.staff, `${EVENTS}/${created.body.id}/publish?scope=all`, { method: 'POST' });
      }),
    ]);
    const refused = body.items.findIndex(({ status }) => status !== 'accepted');
    if (refused >= 0) throw new Error(`the import refused ${JSON.stringify([items[refused], body.items[refused]])}`);
    await untilQuiet(scene);
    result(`${TERM.length} events and ${SERIES.length} weekly series`);
  });
}

function refuseDeadAddresses({ smtp, twilio }: System, directory: readonly DemoPerson[]): void {
  const mailboxes = directory.filter(({ bounces }) => bounces).map(({ email }) => email);
  const phones = directory.filter(({ phone_off }) => phone_off).map(({ phone }) => phone);
  smtp.misbehave((phase, recipient) =>
    phase === 'rcpt' && mailboxes.includes(recipient)
      ? { code: 550, message: '5.1.1 No such mailbox here' }
      : undefined,
  );
  twilio.callBack(({ to }) =>
    phones.includes(to)
      ? [{ status: 'sent' }, { status: 'undelivered', errorCode: 30_003 }]
      : [{ status: 'sent' }, { status: 'delivered' }],
  );
}

/** Resolves when an address has bounced, nothing has been drafted for two seconds, and no queue holds a message that is due. */
async function untilQuiet({ ask, tokens: { staff }, signal }: Scene): Promise<void> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await delay(500, undefined, { signal })) {
    const bounced = await ask<{ data: object[] }>(staff, '/operations/suppressions');
    const latest = await ask<{ data: { created_at: string }[] }>(staff, '/operations/deliveries?limit=1');
    const queues = await ask<{ data: { due: number; sending: number }[] }>(staff, '/operations/queues');
    const quietMs = Date.now() - Date.parse(latest.body.data[0]?.created_at ?? '');
    const isEmpty = queues.body.data.every(({ due, sending }) => due + sending === 0);
    if (bounced.body.data.length > 0 && quietMs > QUIET_MS && isEmpty) return;
  }
}
