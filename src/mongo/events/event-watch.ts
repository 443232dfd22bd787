import { firstIdAt } from '../../core/ids.ts';
import { fromKeys } from '../../core/objects.ts';
import type { EventWatch } from '../../events/ports.ts';
import { HIDING, mayHide, mayHideHeld } from '../../events/rules/hints.ts';
import { SEEN_FIELDS } from '../../people/visibility.ts';
import { watchChanges } from '../change-streams.ts';
import type { Database } from '../database.ts';

const SEEN = fromKeys([...SEEN_FIELDS, 'deleted_at'], () => 1);

const CHANGED = [
  // To its readers a message of the school is an event, which changes when it is withdrawn.
  { $match: { $or: [{ 'ns.coll': 'events' }, { 'ns.coll': 'messages', operationType: 'update' }] } },
  { $project: { documentKey: 1 } },
];

/** Maximum age of a fact that belongs to a change that is broadcast now: to 5,000 streams of a process that takes a minute. */
const RECENT_MS = 150_000;

export function eventWatch(database: Database): EventWatch {
  const rows = database.collection('events');
  const facts = database.collection('facts');
  const heldChanges = database.collection('held_changes');
  const listen = watchChanges<{ documentKey?: { _id: string } }>(database, database, CHANGED);
  return {
    listen: (on, lost) => listen(({ documentKey }) => documentKey && on(documentKey._id), lost),
    async loadVisibility(ids) {
      const found = await rows.find({ _id: { $in: ids } }, { projection: SEEN }).toArray();
      return found.map(({ _id, ...row }) => ({ ...row, id: _id }));
    },
    async findHidden(ids) {
      // By id, which is in the index, because an event may have thousands of registrations.
      const _id = { $gt: firstIdAt(new Date(database.clock.now().getTime() - RECENT_MS)) };
      const hiding = { event_id: { $in: ids }, _id, type: { $in: HIDING } };
      const recent = facts.find(hiding, { projection: { type: 1, event_id: 1, data: 1 } });
      const projection = { action: 1, state: 1, 'events.id': 1 };
      const unrecorded = heldChanges.find({ 'events.id': { $in: ids } }, { projection });
      return new Set([
        ...(await recent.toArray()).filter((fact) => mayHide(fact)).map(({ event_id }) => event_id),
        ...(await unrecorded.toArray()).filter(mayHideHeld).flatMap(({ events }) => events.map(({ id }) => id)),
      ]);
    },
  };
}
