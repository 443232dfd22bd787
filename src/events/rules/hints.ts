import type { Fact } from '../../outbox/fact.ts';
import { maySee, type Seen, type Viewer } from '../../people/visibility.ts';

/** An event as far as it decides who sees it. */
export type SeenEvent = Seen & { id: string; deleted_at: Date | null };

/** That events have changed, for somebody who looks at some of them. */
export type EventHint = {
  /** of those this person may see */
  ids: string[];
  /** something of this school may have gone out of sight; which, is not told to those who can't see it */
  some_gone: boolean;
};

/** What else decides who sees an event. */
const DECIDING = ['visibility', 'restricted_to', 'organizer_id'];

/** Whether what happened may have taken an event out of somebody's sight. */
export function mayHide(fact: Pick<Fact, 'type' | 'data'>): boolean {
  switch (fact.type) {
    case 'event.unpublished':
    case 'event.deleted':
    case 'event.returned':
      return true;
    case 'event.edited':
    case 'event.changed':
      return (fact.data as { fields: string[] }).fields.some((field) => DECIDING.includes(field));
    default:
      return false;
  }
}

/** What this person is told of changed events, or null. `hidden`: ids of those that may have gone out of sight. */
export function hintFor(viewer: Viewer, changed: readonly SeenEvent[], hidden: ReadonlySet<string>): EventHint | null {
  const here = changed.filter((event) => event.tenant_id === viewer.tenant_id && event.school_id === viewer.school_id);
  const visible = (event: SeenEvent) => event.deleted_at === null && maySee(viewer, event);
  const ids = here.filter(visible).map(({ id }) => id);
  const some_gone = here.some((event) => !visible(event) && hidden.has(event.id));
  return ids.length > 0 || some_gone ? { ids, some_gone } : null;
}
