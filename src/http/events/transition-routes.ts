import { type Static, type TSchema, Type } from 'typebox';
import { planMove } from '../../events/plan-changes.ts';
import { ACTIONS } from '../../events/rules/lifecycle.ts';
import type { SeriesScope } from '../../events/rules/series.ts';
import { CANCEL, type Move, POSTPONE } from '../../events/rules/transitions.ts';
import { undoChange } from '../../events/undo-or-release.ts';
import { ifMatchOf } from '../entity-tag.ts';
import { EVENTS, OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, described, instant, nullable, optional, refTo, strict } from '../schemas/fields.ts';
import { DRY_RUN, executePlan, HOLD, SCOPE } from './dry-run.ts';
import { EVENT } from './event-schema.ts';

const SCHEDULE = strict(
  {
    publish_at: optional(
      nullable({
        ...instant,
        description: 'When to publish the event automatically. A time in the past publishes it immediately.',
      }),
    ),
  },
  { examples: [{ publish_at: '2026-09-14T07:30:00+02:00' }] },
);

const RETURN = strict(
  {
    to: choice(
      ['draft', 'scheduled'],
      'The new status. By default `scheduled` if the event is in the future, else `draft`.',
    ),
  },
  { examples: [{ to: 'draft' }] },
);

/** Transitions that can apply to several occurrences of a series. */
const SCOPED: readonly Move['action'][] = ['publish', 'unpublish', 'cancel', 'postpone', 'schedule', 'return'];

/** Transitions that can be undone before their messages are sent: the other two send none. */
const HOLDABLE: readonly Move['action'][] = SCOPED.filter((action) => action !== 'schedule' && action !== 'return');

/** Transitions that ignore a body, because existing clients send one. Every other route refuses unknown fields. */
const IGNORES_BODY: readonly Move['action'][] = ['publish', 'unpublish'];

type Asks = { scope?: SeriesScope; dry_run?: boolean; hold_seconds?: number };

/** One route for each transition of the state table. */
export function transitionRoutes(routes: Routes): void {
  const add = <B extends TSchema>(
    summary: string,
    action: Exclude<Move['action'], 'delete'>,
    moveOf: (input: Static<B>) => Move,
    body?: B,
  ) =>
    routes.post(`${EVENTS}/:id/${action}`, {
      access: { permission: ACTIONS[action].permission },
      name: `${action}Event`,
      summary,
      description: `Possible in the status ${ACTIONS[action].from.join(', ')}.${IGNORES_BODY.includes(action) ? ' A body is ignored.' : ''}`,
      ignoresBody: IGNORES_BODY.includes(action),
      query: strict({ ...(SCOPED.includes(action) && SCOPE), ...DRY_RUN, ...(HOLDABLE.includes(action) && HOLD) }),
      body,
      ifMatch: true,
      hasDryRun: true,
      responses: { 200: refTo(EVENT, 'The event after the change', ['ETag']) },
      refusals: ['invalid_transition', 'stale', ...(action === 'postpone' ? (['slots_in_use'] as const) : [])],
      handle: async (deps, caller, { event: { id }, query, body: input, headers }) => {
        const { scope, dry_run, hold_seconds: seconds = 0 } = query as Asks;
        const asked = { id, scope, move: moveOf(input), ifMatch: ifMatchOf(headers) };
        const options = { dry_run, hold: { action, seconds } };
        return executePlan(deps, caller, (tx) => planMove(deps, caller, asked, tx), options);
      },
    });

  add('Publish an event and notify its audience', 'publish', () => ({ action: 'publish' }));
  add('Move an event back to draft; registrations stay', 'unpublish', () => ({ action: 'unpublish' }));
  add('Start an event early', 'start', () => ({ action: 'start' }));
  add('End an event early', 'complete', () => ({ action: 'complete' }));
  add('Cancel an event and notify everyone registered', 'cancel', (input) => ({ action: 'cancel', input }), CANCEL);
  add(
    'Postpone an event and notify everyone registered',
    'postpone',
    (input) => ({ action: 'postpone', input }),
    POSTPONE,
  );
  add(
    'Schedule an event, with an optional time of publication',
    'schedule',
    ({ publish_at = null }) => ({ action: 'schedule', publish_at }),
    SCHEDULE,
  );
  add('Return a postponed event to draft or scheduled', 'return', ({ to }) => ({ action: 'return', to }), RETURN);
}

/** The route that undoes a change before its messages are sent. */
export function undoRoutes(routes: Routes): void {
  routes.post(`${OPERATIONS}/changes/:change_id/undo`, {
    access: { permission: 'view_events' },
    name: 'undoChange',
    summary: 'Undo a change within its `hold_seconds`',
    description:
      'Needs the permission of the change. All events of the change get back the state they had before, no message is sent, ' +
      'and the timeline shows it no longer. May be repeated.',
    responses: {
      200: described('The change is undone', {
        event_ids: Type.Array(Type.String(), { description: 'The events that have their former state again.' }),
      }),
    },
    refusals: ['not_undoable'],
    result: async (deps, caller, { params: { change_id } }) => {
      const { events } = await undoChange(deps, caller, change_id);
      return { event_ids: events.map((event) => event.id) };
    },
  });
}
