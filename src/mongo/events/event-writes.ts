import { groupBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { scopeOf } from '../../people/caller.ts';
import { seatsToGive } from '../../registrations/seats/waitlist.ts';
import { eventRowOf, NEVER_STARTED, term } from './event-row.ts';

type Replaced = { before: SchoolEvent; after: SchoolEvent };

/**
 * The writes that replace events, each only if the version is unchanged. Events that only change status, the same way and
 * from the same version, share one write: a hundred starts cost the database little more than one.
 */
export function replaceWrites(changes: readonly Replaced[]): object[] {
  const alike = groupBy(changes, (change) => (isStatusChange(change) ? statusChangeKey(change) : change.after.id));
  return alike.flatMap((group) => (group.length > 1 ? [statusWrite(group)] : group.map(replaceWrite)));
}

const statusChangeKey = ({ before, after }: Replaced): string => {
  const { tenant_id, school_id, version, status } = before;
  return JSON.stringify([tenant_id, school_id, version, status, after.status, givesSeats(after), after.updated_at]);
};

const replaceWrite = ({ before, after }: Replaced): object => {
  const { _id, ...replacement } = eventRowOf(after);
  return { replaceOne: { filter: { _id, ...scopeOf(after), version: before.version }, replacement } };
};

const STATUS_FIELDS: ReadonlySet<string> = new Set(['status', 'updated_at', 'version']);

/** Not for drafts: they have no visibility terms, so more than the status changes. */
function isStatusChange({ before, after }: Replaced): boolean {
  if (before.status === 'draft' || after.status === 'draft' || after.version !== before.version + 1) return false;
  const fields = Object.keys(after) as (keyof SchoolEvent)[];
  return fields.every((field) => STATUS_FIELDS.has(field) || after[field] === before[field]);
}

function statusWrite(group: readonly Replaced[]): object {
  const [{ before, after }] = group as [Replaced];
  const was = term('status', before.status);
  const is = term('status', after.status);
  const moved = { $cond: [{ $eq: ['$$this', was] }, is, '$$this'] };
  const filter = { _id: { $in: group.map((one) => one.after.id) }, ...scopeOf(before), version: before.version };
  return {
    updateMany: {
      filter: filter,
      update: [
        {
          $set: {
            status: after.status,
            updated_at: after.updated_at,
            version: after.version,
            seats_to_give: givesSeats(after),
            terms: { $map: { input: { $ifNull: ['$terms', []] }, in: moved } },
          },
        },
      ],
    },
  };
}

const givesSeats = (event: SchoolEvent): boolean => seatsToGive(event, NEVER_STARTED) > 0;
