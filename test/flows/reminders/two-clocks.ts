import { afterAll, beforeEach } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { instantsOf } from '../../../src/events/rules/schedule.ts';
import { openDatabase } from '../../../src/mongo/open-database.ts';
import { syncPlans } from '../../../src/reminders/plan-reminders.ts';
import { anEvent } from '../../support/builders.ts';
import { emptyDatabaseUri } from '../../support/database.ts';

export const AT_18 = { start_date: '2026-10-16', end_date: '2026-10-16', start_time: '18:00', end_time: '20:00' };

export const NOON = new Date('2026-10-16T12:00:00Z');

/** Two clock workers with their own connections to one database. The tests choose the time. */
export async function openTwoClocks() {
  const now = { at: NOON };
  const clock = { now: () => now.at };
  const uri = await emptyDatabaseUri();
  const databases = [await openDatabase(uri), await openDatabase(uri)] as const;
  const [one, two] = [storesOn({ ...databases[0], clock }), storesOn({ ...databases[1], clock })];
  afterAll(() => Promise.all(databases.map((database) => database.close())));
  beforeEach(async () => {
    for (const name of ['events', 'facts', 'reminders', 'deliveries'] as const)
      await one.database.collection(name).deleteMany({});
    now.at = NOON;
  });
  return {
    now,
    one,
    two,
    /** Stores events of that evening with their reminders, as `event-0` and so on. */
    async store(count: number, more: Partial<SchoolEvent>): Promise<void> {
      const events = Array.from({ length: count }, (_, n) => {
        const event = anEvent({ ...AT_18, timezone: 'UTC', ...more, id: `event-${n}` });
        return { ...event, ...instantsOf(event) };
      });
      await one.transact(async (tx) => {
        await one.events.insert(events, tx);
        await syncPlans(one, events, tx);
      });
    },
    factsOf: async (type: string) =>
      (await one.database
        .collection('facts')
        .find({ type } as never)
        .toArray()) as unknown as { event_id: string; actor: string; data: { missed?: string } }[],
    count: (name: 'events' | 'reminders' | 'deliveries', filter: object) =>
      one.database.collection(name).countDocuments(filter as never),
  };
}
