import { Type } from 'typebox';
import { acknowledge, loadReadingState } from '../../acknowledgements/acknowledge.ts';
import { scopeOf } from '../../people/caller.ts';
import { ME } from '../paths.ts';
import type { Routes } from '../route.ts';
import { nothing, oneOf } from '../schemas/fields.ts';

const OWN = `${ME}/acknowledgements/:event_id`;
const OWN_PARAMS = Type.Object({ event_id: Type.String({ description: 'The id of the event or message.' }) });
const own = { anyToken: 'everyone may confirm what they have read; it is found only in their own school' };

/** Routes by which people confirm what they have read. */
export function ownAcknowledgementRoutes(routes: Routes): void {
  routes.get(OWN, {
    access: { ...own, viewAs: true },
    name: 'getOwnAcknowledgement',
    summary: 'Read whether you still have to confirm that you have read an event or a message',
    params: OWN_PARAMS,
    answers: {
      200: Type.Object({
        state: oneOf(['not_asked', 'asked', 'confirmed'], {
          description: '`asked`: please confirm. `not_asked`: there is nothing to confirm.',
        }),
      }),
    },
    result: async (joined, caller, { params: { event_id } }) => {
      const { state } = await loadReadingState(joined, scopeOf(caller), { event_id, reader_ids: [caller.user_id] });
      return { state };
    },
  });

  routes.post(OWN, {
    access: own,
    name: 'acknowledge',
    summary: 'Confirm that you have read an event or a message',
    description: 'Confirms it for you and your children. Repeating it is harmless.',
    params: OWN_PARAMS,
    answers: { 204: nothing('Confirmed') },
    refusals: ['not_found', 'not_asked'],
    result: async (joined, caller, { params: { event_id } }) =>
      acknowledge(joined, scopeOf(caller), { event_id, reader_ids: [caller.user_id], channel: 'in_app' }),
  });
}
