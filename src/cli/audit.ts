import { readConfig } from '../app/config/config.ts';
import { runCommand } from '../app/run-command.ts';
import { openDatabase } from '../mongo/database.ts';
import { eventStore } from '../mongo/events/event-store.ts';
import { factStore } from '../mongo/outbox/fact-store.ts';
import { registrationStore, seatAuditStore } from '../mongo/registrations/registration-store.ts';
import { auditSeats } from '../registrations/seats/audit.ts';

const EVENTS = 500;

/** Checks the seats of every event. @returns the lines to print, and how many events have faults */
export async function audit(mongodbUri: string, repair: boolean): Promise<{ lines: string[]; faulty: number }> {
  const database = await openDatabase(mongodbUri, { poolSize: 2 });
  const deps = {
    ...database,
    events: eventStore(database),
    facts: factStore(database),
    registrations: registrationStore(database),
    seatAudit: seatAuditStore(database),
  };
  try {
    const lines: string[] = [];
    let checked = 0;
    let faulty = 0;
    let after: string | null = null;
    do {
      const round = await auditSeats(deps, { after, limit: EVENTS, repair });
      checked += round.checked;
      faulty += round.findings.length;
      for (const { event_id, faults, repaired } of round.findings)
        lines.push(`${event_id}: ${faults.join('; ')}${repaired ? ' (repaired)' : ''}`);
      after = round.next;
    } while (after !== null);
    return { lines: [...lines, `${checked} events, ${faulty} with faults`], faulty };
  } finally {
    await database.close();
  }
}

/** `npm run audit -- seats [--repair]`: exits with 1 if there are faults. */
await runCommand('audit', 2, async ([what, ...more]) => {
  if (what !== 'seats') throw new Error('usage: npm run audit -- seats [--repair]');
  const { lines, faulty } = await audit(readConfig(process.env, ['mongo']).mongo.uri, more.includes('--repair'));
  return { lines, code: faulty > 0 ? 1 : 0 };
});
