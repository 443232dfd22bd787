import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { ACTIONS } from '../../events/lifecycle.ts';
import { moveEvent } from '../../events/move.ts';
import type { Move } from '../../events/moves.ts';
import type { RouteDeps } from '../deps.ts';
import { ifMatchOf } from '../entity-tag.ts';
import { eventAnswer } from '../event-view.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { EVENT } from '../schemas/event.ts';
import { CANCEL, POSTPONE } from '../schemas/event-body.ts';
import { refTo } from '../schemas/fields.ts';
import { EVENT_ID } from './events.ts';

/** The moves of the state table (§4): one route each, the same but for what they take. */
export function moveRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const add = <B extends TSchema>(
    summary: string,
    action: Move['action'],
    moveOf: (input: Static<B>) => Move,
    body?: B,
  ) =>
    addRoute(app, deps, {
      method: 'POST',
      url: `${EVENTS}/:id/${action}`,
      access: { permission: ACTIONS[action].permission },
      name: `${action}Event`,
      tag: 'events',
      summary,
      description: `Possible in ${ACTIONS[action].from.join(', ')}.${body ? '' : ' A body is ignored.'}`,
      params: EVENT_ID,
      ...(body ? { body } : {}),
      ifMatch: true,
      answers: { 200: refTo(EVENT, 'The event after the move', ['ETag']) },
      refusals: ['invalid_transition', 'stale'],
      handle: async (joined, caller, { params: { id }, body: input, headers }) => {
        const event = await moveEvent(joined, caller, { id, move: moveOf(input), ifMatch: ifMatchOf(headers) });
        return eventAnswer(joined, caller, event);
      },
    });

  add('Publish, and tell the target audience', 'publish', () => ({ action: 'publish' }));
  add('Back to draft; registrations are kept, the waitlist rests', 'unpublish', () => ({ action: 'unpublish' }));
  add('Begin before the clock does', 'start', () => ({ action: 'start' }));
  add('End before the clock does', 'complete', () => ({ action: 'complete' }));
  add('Cancel, and tell everyone registered', 'cancel', (input) => ({ action: 'cancel', input }), CANCEL);
  add('Postpone, and tell everyone registered', 'postpone', (input) => ({ action: 'postpone', input }), POSTPONE);
}
