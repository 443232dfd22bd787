import { Type } from 'typebox';
import { undoChange } from '../../events/held-change.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';

/** The route that undoes a change before its messages are sent. */
export function undoRoutes(routes: Routes): void {
  routes.post(`${OPERATIONS}/changes/:change_id/undo`, {
    access: { permission: 'view_events' },
    name: 'undoChange',
    summary: 'Undo a change within its `hold_seconds`',
    description:
      'Needs the permission of the change. All events of the change get back the state they had before, no message is sent, ' +
      'and the timeline shows it no longer. May be repeated.',
    answers: {
      200: Type.Object(
        { event_ids: Type.Array(Type.String(), { description: 'The events that have their former state again.' }) },
        { description: 'The change is undone' },
      ),
    },
    refusals: ['not_undoable'],
    result: async (joined, caller, { params: { change_id } }) => {
      const { events } = await undoChange(joined, caller, change_id);
      return { event_ids: events.map((event) => event.id) };
    },
  });
}
