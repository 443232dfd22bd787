import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { planMove } from '../../events/change-status.ts';
import { ACTIONS } from '../../events/rules/lifecycle.ts';
import type { SeriesScope } from '../../events/rules/recurrence.ts';
import type { Move } from '../../events/rules/transitions.ts';
import type { RouteDeps } from '../deps.ts';
import { ifMatchOf } from '../entity-tag.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { refTo, strict } from '../schemas/fields.ts';
import { planAnswer } from './dry-run-view.ts';
import { EVENT } from './event-schema.ts';
import { eventAnswer } from './event-view.ts';
import { EVENT_ID } from './routes.ts';
import { CANCEL, DRY_RUN, POSTPONE, RETURN, SCHEDULE, SCOPE } from './transition-schema.ts';

/** Moves that can be meant for several occurrences: each of them is then in the same state, with dates of its own. */
const SCOPED: readonly Move['action'][] = ['publish', 'unpublish', 'cancel', 'schedule', 'return'];

/** Decided so for other callers; every other route refuses fields that it doesn't know. */
const IGNORING: readonly Move['action'][] = ['publish', 'unpublish'];

type Asks = { scope?: SeriesScope; dry_run?: boolean };

/** The moves of the state table (§4): one route each, the same but for what they take. */
export function transitionRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const add = <B extends TSchema>(
    summary: string,
    action: Exclude<Move['action'], 'delete'>,
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
      description: `Possible in ${ACTIONS[action].from.join(', ')}.${IGNORING.includes(action) ? ' A body is ignored.' : ''}`,
      ignoresBody: IGNORING.includes(action),
      params: EVENT_ID,
      query: strict(SCOPED.includes(action) ? { ...SCOPE, ...DRY_RUN } : DRY_RUN),
      ...(body ? { body } : {}),
      ifMatch: true,
      hasDryRun: true,
      answers: { 200: refTo(EVENT, 'The event after the move', ['ETag']) },
      refusals: ['invalid_transition', 'stale'],
      handle: async (joined, caller, { params: { id }, query, body: input, headers }) => {
        const { scope, dry_run } = query as Asks;
        const asked = { id, scope, move: moveOf(input), ifMatch: ifMatchOf(headers) };
        const plan: Parameters<typeof planAnswer>[2] = (tx) => planMove(joined, caller, asked, tx);
        return planAnswer(joined, caller, plan, { dry_run }, (event) => eventAnswer(joined, caller, event));
      },
    });

  add('Publish, and tell the target audience', 'publish', () => ({ action: 'publish' }));
  add('Back to draft; registrations are kept, the waitlist rests', 'unpublish', () => ({ action: 'unpublish' }));
  add('Begin before the clock does', 'start', () => ({ action: 'start' }));
  add('End before the clock does', 'complete', () => ({ action: 'complete' }));
  add('Cancel, and tell everyone registered', 'cancel', (input) => ({ action: 'cancel', input }), CANCEL);
  add('Postpone, and tell everyone registered', 'postpone', (input) => ({ action: 'postpone', input }), POSTPONE);
  add(
    'Show to the school; with publish_at the clock publishes it then',
    'schedule',
    ({ publish_at }) => ({ action: 'schedule', publish_at: publish_at ? new Date(publish_at) : null }),
    SCHEDULE,
  );
  add('Back from a postponement', 'return', ({ to }) => ({ action: 'return', to }), RETURN);
}
