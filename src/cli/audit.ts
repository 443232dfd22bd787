import { parseArgs } from 'node:util';
import { readConfig } from '../app/config/config.ts';
import { eventStore } from '../mongo/events/event-store.ts';
import { withKnownDatabase } from '../mongo/open-database.ts';
import { factStore } from '../mongo/outbox/fact-store.ts';
import { registrationStore, seatAuditStore } from '../mongo/registrations/registration-store.ts';
import { auditSeats } from '../registrations/seats/audit.ts';
import { runCommand, WrongArguments } from './run-command.ts';

const EVENTS = 500;

/** Checks the seats of every event. @returns the lines to print, and how many events have faults */
export const audit = (mongodbUri: string, repair: boolean) =>
  withKnownDatabase(mongodbUri, async (database) => {
    const deps = {
      ...database,
      events: eventStore(database),
      facts: factStore(database),
      registrations: registrationStore(database),
      seatAudit: seatAuditStore(database),
    };
    const lines: string[] = [];
    let checked = 0;
    let after: string | null = null;
    do {
      const round = await auditSeats(deps, { after, limit: EVENTS, repair });
      checked += round.checked;
      for (const { event_id, faults, repaired } of round.findings)
        lines.push(`${event_id}: ${faults.join('; ')}${repaired ? ' (repaired)' : ''}`);
      after = round.next;
    } while (after !== null);
    const faulty = lines.length;
    return { lines: [...lines, `${checked} events, ${faulty} with faults`], faulty };
  });

const USAGE = `npm run audit -- seats [--repair]

Compares the counters of every event with its registrations. Exits with 0 if they agree, 1 if there are faults, 2 for another error.

  --repair  correct the counters
`;

await runCommand('audit', {
  usage: USAGE,
  failed: 2,
  run: async (args) => {
    const options = { repair: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.join() !== 'seats') throw new WrongArguments('name what to audit: seats');
    const { lines, faulty } = await audit(readConfig(process.env, ['mongo']).mongo.uri, values.repair);
    return { lines, code: faulty > 0 ? 1 : 0 };
  },
});
