import type { SchoolEvent } from '../../events/event.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { type Erased, withoutPerson } from '../../privacy/erasure.ts';
import type { Database } from '../database.ts';
import { type EventRow, eventOf, eventRowOf } from '../events/event-row.ts';

/** Written at a time; those that were changed meanwhile are found again. */
const EVENTS = 200;
const TRIES = 20;

/**
 * Takes a person out of the events they organized, wrote down or were named in. Each is written under its version like
 * any other change, so that one under way is not lost.
 */
export async function eraseFromEvents(database: Database, scope: Scope, erased: Erased): Promise<number> {
  const rows = database.collection<EventRow>('events');
  const { user_id } = erased;
  const names = [{ organizer_id: user_id }, { created_by: user_id }, { 'restricted_to.user_ids': user_id }];
  const filter = { ...scopeOf(scope), $or: names } as never;
  const done = new Set<string>();
  for (let tries = 0; ; ) {
    const found = (await rows.find(filter).limit(EVENTS).toArray()) as EventRow[];
    if (found.length === 0) return done.size;
    const writes = found.map((row) => {
      const { _id, ...replacement } = eventRowOf({ ...cleaned(eventOf(row), erased), version: row.version + 1 });
      done.add(_id);
      return { replaceOne: { filter: { _id, version: row.version }, replacement } };
    });
    const { matchedCount } = await rows.bulkWrite(writes as never, { ordered: false });
    if (matchedCount === 0 && ++tries > TRIES) throw new Error('an event is written all the time');
  }
}

function cleaned(event: SchoolEvent, erased: Erased): SchoolEvent {
  const { organizer, restricted_to } = event;
  const isOrganizer = event.organizer_id === erased.user_id;
  return {
    ...withoutPerson(event, erased),
    organizer: isOrganizer && organizer ? { type: organizer.type } : withoutPerson(organizer, erased),
    restricted_to: restricted_to && {
      ...restricted_to,
      ...(restricted_to.user_ids && { user_ids: restricted_to.user_ids.filter((id) => id !== erased.user_id) }),
    },
  };
}
