import { describe, expect, it } from 'vitest';
import { EVENT_STATUSES, type EventStatus } from '../../../src/events/event.ts';
import { E, PARENT, STAFF, serve } from '../../support/http/http-app.ts';

const BODY: Record<string, object | undefined> = {
  cancel: { reason: 'The hall is flooded.' },
  postpone: { new_start_date: '2026-11-06', reason: 'The conductor is ill.' },
};

// §3, §2.12 and decisions.md "Lifecycle", by hand: rows are states, columns what can be done; null: it can't. `gone`: the
// event is not there any more; `same`: it stays in its state; `copy`: a draft comes about and the event stays as it is.
const ACTS = [
  'edit',
  'publish',
  'unpublish',
  'cancel',
  'postpone',
  'schedule',
  'return',
  'start',
  'complete',
  'duplicate',
  'delete',
] as const;
type End = EventStatus | 'same' | 'copy' | 'gone' | null;
const TABLE: Record<EventStatus, End[]> = {
  draft: ['same', 'published', null, 'cancelled', null, 'scheduled', null, null, null, 'copy', 'gone'],
  scheduled: ['same', 'published', null, 'cancelled', 'postponed', null, null, null, null, 'copy', 'gone'],
  published: ['same', null, 'draft', 'cancelled', 'postponed', null, null, 'in_progress', null, 'copy', 'gone'],
  in_progress: [null, null, null, 'cancelled', null, null, null, null, 'completed', 'copy', 'gone'],
  completed: [null, null, null, null, null, null, null, null, null, 'copy', 'gone'],
  cancelled: [null, null, null, null, null, null, null, null, null, 'copy', 'gone'],
  postponed: ['same', 'published', null, 'cancelled', null, null, 'draft', null, null, 'copy', 'gone'],
};

// What somebody with events.update, .create and .view, but not .delete, is offered in each state.
const OFFERED: Record<EventStatus, string[]> = {
  draft: ['edit', 'publish', 'cancel', 'schedule', 'duplicate'],
  scheduled: ['edit', 'publish', 'cancel', 'postpone', 'duplicate'],
  published: ['edit', 'unpublish', 'cancel', 'postpone', 'start', 'duplicate', 'share'],
  in_progress: ['cancel', 'complete', 'duplicate'],
  completed: ['duplicate'],
  cancelled: ['duplicate'],
  postponed: ['edit', 'publish', 'cancel', 'return', 'duplicate'],
};

const FACT_OF: Record<(typeof ACTS)[number], string> = {
  edit: 'event.edited',
  publish: 'event.published',
  unpublish: 'event.unpublished',
  cancel: 'event.cancelled',
  postpone: 'event.postponed',
  schedule: 'event.scheduled',
  return: 'event.returned',
  start: 'event.started',
  complete: 'event.completed',
  duplicate: 'event.created',
  delete: 'event.deleted',
};

const EVERYTHING = { ...STAFF, permissions: [...(STAFF.permissions ?? []), 'events.delete', 'events.delete.any'] };

function requestOf(act: (typeof ACTS)[number], id: string): [string, string, object] {
  if (act === 'edit') return ['PATCH', `${E}/${id}`, { payload: { title: 'Better' } }];
  if (act === 'delete') return ['DELETE', `${E}/${id}`, {}];
  return ['POST', `${E}/${id}/${act}`, BODY[act] ? { payload: BODY[act] } : {}];
}

describe('every action in every state', () => {
  for (const status of EVENT_STATUSES) {
    for (const [column, act] of ACTS.entries()) {
      const end = TABLE[status][column] ?? null;
      it(`${act} of a ${status} event: ${end ?? 'refused'}`, async () => {
        const { ask, given, tables } = await serve();
        const { id } = await given({ status });
        const [method, url, more] = requestOf(act, id);

        // First as a dry run: the same end, and nothing has happened.
        const before = structuredClone(await tables.events());
        const foreseen = await ask(EVERYTHING, method, `${url}?dry_run=true`, more);
        expect(await tables.events()).toEqual(before);
        expect(await tables.facts()).toEqual([]);
        const answer = await ask(EVERYTHING, method, url, more);

        if (end === null) {
          for (const refused of [foreseen, answer]) {
            expect(refused.status).toBe(409);
            expect(refused.body).toMatchObject({
              code: act === 'edit' ? 'event_not_editable' : 'invalid_transition',
              current_status: status,
              allowed_actions: [...ALL_ORDER].filter((one) => [...OFFERED[status], 'delete'].includes(one)),
            });
          }
          expect(await tables.facts()).toEqual([]);
          return;
        }
        const reached = end === 'same' ? status : end === 'copy' ? 'draft' : end === 'gone' ? 'deleted' : end;
        expect(foreseen).toMatchObject({ status: 200, body: { dry_run: true, status: reached, promotions: 0 } });
        expect((await tables.facts()).map(({ type }) => type)).toEqual([FACT_OF[act]]);
        if (end === 'gone') {
          expect(answer).toMatchObject({ status: 204, text: '' });
          expect((await ask(EVERYTHING, 'GET', url)).status).toBe(404);
        } else if (end === 'copy') {
          expect(answer).toMatchObject({ status: 201, body: { status: 'draft', duplicated_from_id: id } });
          expect((await tables.events()).find((event) => event.id === id)).toMatchObject({ status, version: 1 });
        } else {
          expect(answer).toMatchObject({ status: 200, headers: { etag: '"v2"' }, body: { id, status: reached } });
        }
      });
    }

    it(`offers in ${status} what would succeed, and tells why the rest would not`, async () => {
      const { ask, given } = await serve();
      const { body } = await ask(STAFF, 'GET', `${E}/${(await given({ status })).id}`);
      expect(body.allowed_actions).toEqual(OFFERED[status]);
      const refused = Object.keys(body.refused_actions);
      expect([...body.allowed_actions, ...refused].sort()).toEqual([...ALL_ORDER].sort());
      expect(body.refused_actions.delete).toBe('You need the permission events.delete. Ask an administrator for it.');
      for (const action of refused.filter((one) => one !== 'delete'))
        expect(body.refused_actions[action]).toMatch(
          new RegExp(`^The event is ${status.replace('_', ' ')}. The action ${action} needs an event that is .*\\.$`),
        );
    });
  }
});

const ALL_ORDER = [
  'edit',
  'publish',
  'unpublish',
  'cancel',
  'postpone',
  'schedule',
  'return',
  'start',
  'complete',
  'duplicate',
  'delete',
  'share',
] as const;

const INSTANT = 'must be a date and time with offset from 1970 to 2100, such as 2026-09-14T07:30:00+02:00';

describe('the bodies of the moves', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['no body', {}],
    ['an empty body of JSON type', { headers: json }],
    ['any object', { payload: { reason: 'ignored', x: 1 } }],
    ['null', { payload: 'null', headers: json }],
  ])('publish ignores %s', async (_name, more) => {
    const { ask, given } = await serve();
    const { id } = await given({ status: 'draft' });
    expect((await ask(STAFF, 'POST', `${E}/${id}/publish`, more)).status).toBe(200);
  });

  it.each([
    ['nothing', 'cancel', undefined, ['/reason is required']],
    ['an empty reason', 'cancel', { reason: '' }, ['/reason must not have fewer than 1 characters']],
    ['a blank reason', 'cancel', { reason: '  ' }, ['/reason must not be empty or contain control characters']],
    ['1001 characters', 'cancel', { reason: 'x'.repeat(1001) }, ['/reason must not have more than 1000 characters']],
    ['an operator', 'cancel', { reason: { $ne: 1 } }, ['/reason must be string']],
    ['a number', 'cancel', { reason: 7 }, ['/reason must be string']],
    ['a text for a boolean', 'cancel', { reason: 'x', notify: 'true' }, ['/notify must be boolean']],
    ['an unknown field', 'cancel', { reason: 'x', notfy: true }, ['/notfy is not a known field']],
    ['no offset', 'schedule', { publish_at: '2026-10-01T08:00:00' }, [`/publish_at ${INSTANT}`]],
    ['a date', 'schedule', { publish_at: '2026-10-01' }, [`/publish_at ${INSTANT}`]],
    ['another state', 'return', { to: 'published' }, ['/to must be one of draft, scheduled']],
    ['a long title', 'duplicate', { title: 'x'.repeat(201) }, ['/title must not have more than 200 characters']],
    ['nothing', 'postpone', undefined, ['/new_start_date is required', '/reason is required']],
    [
      'everything wrong at once',
      'postpone',
      { new_start_date: '2026-02-30', new_end_time: '24:00', reason: 1, extra: 1 },
      [
        '/extra is not a known field',
        '/new_start_date must be an existing date from 1970 to 2100, written YYYY-MM-DD',
        '/new_end_time must be a time of day, written HH:MM',
        '/reason must be string',
      ],
    ],
  ])('%s to %s is refused field by field', async (_name, move, payload, faults) => {
    const { ask, given, tables } = await serve();
    const { id } = await given();
    const answer = await ask(STAFF, 'POST', `${E}/${id}/${move}`, payload ? { payload } : {});
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('validation_failed');
    const told = answer.body.errors.map(
      (error: { pointer: string; message: string }) => `${error.pointer} ${error.message}`,
    );
    expect(told.sort()).toEqual([...faults].sort());
    expect(await tables.facts()).toHaveLength(0);
  });

  it('refuses unexpected fields instead of ignoring them', async () => {
    const { ask, given, tables } = await serve();
    const { id } = await given({ status: 'published' });
    const answer = await ask(STAFF, 'POST', `${E}/${id}/start`, { payload: { dry_run: true, a: 1 } });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/dry_run', message: 'is not a known field' },
          { pointer: '/a', message: 'is not a known field' },
        ],
      },
    });
    expect(await ask(EVERYTHING, 'DELETE', `${E}/${id}`, { payload: { dry_run: true } })).toMatchObject({
      status: 422,
    });
    expect(await ask(STAFF, 'POST', `${E}/${id}/start`, { payload: [] as object })).toMatchObject({ status: 422 });
    expect(await tables.facts()).toEqual([]);
  });

  it('accepts a reason of 1000 characters and a postponement without a date', async () => {
    const { ask, given } = await serve();
    const answer = await ask(STAFF, 'POST', `${E}/${(await given()).id}/postpone`, {
      payload: { new_start_date: null, reason: 'x'.repeat(1000), notify: true },
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'postponed', postponed_to: null } });
  });

  it('reports broken rules between fields by the field names of the body', async () => {
    const { ask, given } = await serve();
    const answer = await ask(STAFF, 'POST', `${E}/${(await given()).id}/postpone`, {
      payload: { new_start_date: '2026-11-06', new_end_date: '2026-11-05', reason: 'x' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe('/new_end_date');
  });
});

describe('the permissions of transitions', () => {
  it.each([
    ['publish', 'events.publish or events.update'],
    ['unpublish', 'events.publish or events.update'],
    ['cancel', 'events.cancel or events.update'],
    ['postpone', 'events.update'],
    ['start', 'events.update'],
    ['complete', 'events.update'],
    ['schedule', 'events.publish or events.update'],
    ['return', 'events.update'],
    ['duplicate', 'events.create'],
  ])('%s needs %s, whatever the body', async (move, needed) => {
    const { ask, given } = await serve();
    const answer = await ask(PARENT, 'POST', `${E}/${(await given()).id}/${move}`, { payload: { nonsense: true } });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: `You need the permission ${needed}. Ask an administrator for it.` },
    });
  });

  it.each([
    ['publish', 'events.publish', 'scheduled'],
    ['cancel', 'events.cancel', 'published'],
  ] as const)('%s is enough with %s alone', async (move, permission, status) => {
    const { ask, given } = await serve();
    const who = { ...STAFF, permissions: [permission] };
    const answer = await ask(
      who,
      'POST',
      `${E}/${(await given({ status })).id}/${move}`,
      BODY[move] ? { payload: BODY[move] } : {},
    );
    expect(answer.status).toBe(200);
  });
});
