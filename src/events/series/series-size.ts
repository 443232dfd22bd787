import type { FieldFault } from '../../core/errors.ts';
import type { Tx } from '../../core/transaction.ts';
import type { SchoolEvent } from '../event.ts';
import type { EventStore } from '../ports.ts';
import { seriesOf } from '../rules/series/recurrence.ts';
import { bytesOfAll, seriesSizeFaults } from '../rules/series/size.ts';

/**
 * The faults of writes that make a series too large, or none. Writes that make it no larger have none. Does not see what
 * other transactions write meanwhile.
 * @param changes of occurrences of one series; the faults name the fields of the first
 */
export async function findSeriesSizeFaults(
  { events }: { events: Pick<EventStore, 'seriesSize'> },
  changes: readonly { before: SchoolEvent | null; after: SchoolEvent }[],
  tx?: Tx,
): Promise<FieldFault[]> {
  const event = changes[0]?.after;
  const parent_id = event ? seriesOf(event) : null;
  if (!event || parent_id === null) return [];
  const stored = changes.flatMap(({ before }) => (before && isOf(parent_id, before) ? before : []));
  const written = changes.flatMap(({ after }) => (isOf(parent_id, after) ? after : []));
  const growth = bytesOfAll(written) - bytesOfAll(stored);
  if (growth <= 0) return [];
  const { count, bytes } = await events.seriesSize(event, parent_id, tx);
  return seriesSizeFaults(event, bytes + growth, count + written.length - stored.length);
}

const isOf = (parent_id: string, event: SchoolEvent): boolean =>
  event.deleted_at === null && (event.id === parent_id || event.parent_event_id === parent_id);
