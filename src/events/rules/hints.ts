import type { Fact, FactType } from '../../outbox/fact.ts';
import { isSameSchool } from '../../people/caller.ts';
import { maySee, SEEN_FIELDS, type Seen, type Viewer } from '../../people/visibility.ts';
import type { HeldChange } from '../held-change.ts';

/** The parts of an event that decide who may see it. */
export type SeenEvent = Seen & { id: string; deleted_at: Date | null };

/** The facts that may hide an event; edits only if they changed a deciding field. */
export const HIDING: readonly FactType[] = [
  'event.unpublished',
  'event.deleted',
  'event.returned',
  'event.edited',
  'event.changed',
];

/** Whether a fact may have made an event invisible to some viewers. */
export const mayHide = ({ type, data }: Pick<Fact, 'type' | 'data'>): boolean =>
  HIDING.includes(type) &&
  (!('fields' in data) || data.fields.some((field) => (SEEN_FIELDS as readonly string[]).includes(field)));

/** Whether a change without a recorded fact may have: one that can still be undone, or the undo of a publication. */
export const mayHideHeld = ({ action, state }: Pick<HeldChange, 'action' | 'state'>): boolean =>
  state === 'held' ? action === 'unpublish' || action === 'delete' : state === 'undone' && action === 'publish';

/**
 * Tells an open page of one viewer which events have changed. `some_gone`: events of this school may have become invisible;
 * their ids are not revealed. Null: nothing that the viewer may know has changed.
 * @param hidden ids of events that may have become invisible
 */
export function hintFor(viewer: Viewer, changed: readonly SeenEvent[], hidden: ReadonlySet<string>) {
  const here = changed.filter((event) => isSameSchool(event, viewer));
  const visible = (event: SeenEvent) => event.deleted_at === null && maySee(viewer, event);
  const ids = here.filter(visible).map(({ id }) => id);
  const some_gone = here.some((event) => !visible(event) && hidden.has(event.id));
  return ids.length > 0 || some_gone ? { ids, some_gone } : null;
}
