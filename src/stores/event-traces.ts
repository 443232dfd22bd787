import type { SchoolEvent } from '../events/event.ts';
import { type Scope, scopeOf } from '../people/caller.ts';
import { type Erased, withoutPerson } from '../people/erasure.ts';
import type { Database } from './database.ts';
import { type EventRow, eventOf, eventRowOf } from './event-row.ts';

const TRIES = 20;

/**
 * Takes a person out of the events they organized, wrote down or were named in. Each is written under its version like
 * any other change, so that one under way is not lost.
 */
export async function eraseFromEvents(database: Database, scope: Scope, erased: Erased): Promise<number> {
  const rows = database.collection<EventRow>('events');
  const { user_id } = erased;
  const names = [{ organizer_id: user_id }, { created_by: user_id }, { 'restricted_to.user_ids': user_id }];
  const found = await rows.find({ ...scopeOf(scope), $or: names } as never, { projection: { _id: 1 } }).toArray();
  for (const { _id } of found) {
    for (let tries = 0; ; tries++) {
      const row = (await rows.findOne({ _id } as never)) as EventRow | null;
      if (!row) break;
      const after = { ...cleaned(eventOf(row), erased), version: row.version + 1 };
      const { matchedCount } = await rows.replaceOne(
        { _id, version: row.version } as never,
        eventRowOf(after) as never,
      );
      if (matchedCount === 1) break;
      if (tries > TRIES) throw new Error('an event is written all the time');
    }
  }
  return found.length;
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
