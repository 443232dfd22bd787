import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/events/rules/lifecycle.ts';
import { E, faultsOf, provideHttp, STAFF, staffWith } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const BODY: Record<string, object | undefined> = {
  cancel: { reason: 'The hall is flooded.' },
  postpone: { new_start_date: '2026-11-06', reason: 'The conductor is ill.' },
};

/** Each action: a state that allows it, the state it leads to, and its fact. The rules have tests of every state. */
const ACTS = [
  ['edit', 'published', 'published', 'event.edited'],
  ['publish', 'draft', 'published', 'event.published'],
  ['unpublish', 'published', 'draft', 'event.unpublished'],
  ['cancel', 'published', 'cancelled', 'event.cancelled'],
  ['postpone', 'published', 'postponed', 'event.postponed'],
  ['schedule', 'draft', 'scheduled', 'event.scheduled'],
  ['return', 'postponed', 'draft', 'event.returned'],
  ['start', 'published', 'in_progress', 'event.started'],
  ['complete', 'in_progress', 'completed', 'event.completed'],
  ['duplicate', 'cancelled', 'draft', 'event.created'],
  ['delete', 'completed', 'deleted', 'event.deleted'],
] as const;

const DELETER = staffWith('events.delete', 'events.delete.any');

function requestOf(act: string, id: string): [string, string, object] {
  if (act === 'edit') return ['PATCH', `${E}/${id}`, { payload: { title: 'Better' } }];
  if (act === 'delete') return ['DELETE', `${E}/${id}`, {}];
  return ['POST', `${E}/${id}/${act}`, BODY[act] ? { payload: BODY[act] } : {}];
}

describe('an action', () => {
  it.each(ACTS)('%s changes an event from %s to %s, and a dry run changes nothing', async (act, status, to, fact) => {
    const { id } = await given({ status });
    const [method, url, more] = requestOf(act, id);

    const before = structuredClone(await tables.events());
    const preview = await ask(DELETER, method, `${url}?dry_run=true`, more);
    expect(preview).toMatchObject({ status: 200, body: { dry_run: true, status: to, promotions: 0 } });
    expect(await tables.events()).toEqual(before);
    expect(await tables.facts()).toEqual([]);

    const answer = await ask(DELETER, method, url, more);
    expect((await tables.facts()).map(({ type }) => type)).toEqual([fact]);
    if (act === 'delete') {
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect((await ask(DELETER, 'GET', url)).status).toBe(404);
    } else if (act === 'duplicate') {
      expect(answer).toMatchObject({ status: 201, body: { status: to, duplicated_from_id: id } });
      expect((await tables.events()).find((event) => event.id === id)).toMatchObject({ status, version: 1 });
    } else {
      expect(answer).toMatchObject({ status: 200, headers: { etag: '"v2"' }, body: { id, status: to } });
    }
  });

  it.each([
    ['edit', 'event_not_editable'],
    ['start', 'invalid_transition'],
  ])('%s is refused for a completed event with 409 and %s, also as a dry run', async (act, code) => {
    const [method, url, more] = requestOf(act, (await given({ status: 'completed' })).id);
    for (const query of ['?dry_run=true', '']) {
      const refused = await ask(DELETER, method, `${url}${query}`, more);
      expect(refused).toMatchObject({
        status: 409,
        body: { code, current_status: 'completed', allowed_actions: ['duplicate', 'delete'] },
      });
    }
    expect(await tables.facts()).toEqual([]);
  });

  it('is offered if it would succeed, else listed with the reason', async () => {
    const { body } = await ask(STAFF, 'GET', `${E}/${(await given({ status: 'in_progress' })).id}`);
    expect(body.allowed_actions).toEqual(['cancel', 'complete', 'duplicate']);
    const every = [...Object.keys(ACTIONS), 'register'].filter((action) => !body.allowed_actions.includes(action));
    expect(Object.keys(body.refused_actions)).toEqual(every);
    expect(Object.keys(body.refusal_codes)).toEqual(Object.keys(body.refused_actions));
    expect(body.refusal_codes).toMatchObject({ delete: 'forbidden', start: 'invalid_transition' });
    expect(body.refused_actions).toMatchObject({
      delete: 'You need the permission events.delete. Ask an administrator for it.',
      start: expect.stringMatching(/^The event is in progress. The action start needs an event that is .*\.$/),
    });
  });
});

const INSTANT = 'must be a date and time with offset from 1970 to 2100, such as 2026-09-14T07:30:00+02:00';

describe('the bodies of the moves', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['no body', {}],
    ['an empty body of JSON type', { headers: json }],
    ['any object', { payload: { reason: 'ignored', x: 1 } }],
    ['null', { payload: 'null', headers: json }],
    ['broken JSON', { payload: '{', headers: json }],
    ['text', { payload: 'now', headers: { 'content-type': 'text/plain' } }],
    ['an empty form', { payload: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('publish ignores %s', async (_name, more) => {
    const { id } = await given({ status: 'draft' });
    expect((await ask(STAFF, 'POST', `${E}/${id}/publish`, more)).status).toBe(200);
  });

  it.each([
    ['nothing', 'cancel', undefined, ['/reason is required']],
    ['a blank reason', 'cancel', { reason: '  ' }, ['/reason must not be empty or contain control characters']],
    ['1001 characters', 'cancel', { reason: 'x'.repeat(1001) }, ['/reason must not have more than 1000 characters']],
    ['no offset', 'schedule', { publish_at: '2026-10-01T08:00:00' }, [`/publish_at ${INSTANT}`]],
    ['another state', 'return', { to: 'published' }, ['/to must be one of draft, scheduled']],
    ['a long title', 'duplicate', { title: 'x'.repeat(201) }, ['/title must not have more than 200 characters']],
    ['nothing', 'postpone', undefined, ['/new_start_date is required', '/reason is required']],
    [
      'every field wrong',
      'postpone',
      { new_start_date: '2026-02-30', new_end_time: '24:00', reason: 1, extra: 1 },
      [
        '/extra is not a known field',
        '/new_start_date must be an existing date from 1970 to 2100, written YYYY-MM-DD',
        '/new_end_time must be a time of day, written HH:MM',
        '/reason must be text',
      ],
    ],
  ])('%s to %s is refused field by field', async (_name, move, payload, faults) => {
    const { id } = await given();
    const answer = await ask(STAFF, 'POST', `${E}/${id}/${move}`, payload ? { payload } : {});
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('validation_failed');
    expect(faultsOf(answer).sort()).toEqual([...faults].sort());
    expect(await tables.facts()).toHaveLength(0);
  });

  it('refuses unexpected fields instead of ignoring them', async () => {
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
    expect(await ask(DELETER, 'DELETE', `${E}/${id}`, { payload: { dry_run: true } })).toMatchObject({
      status: 422,
    });
    expect(await ask(STAFF, 'POST', `${E}/${id}/start`, { payload: [] as object })).toMatchObject({ status: 422 });
    expect(await tables.facts()).toEqual([]);
  });

  it('accepts a reason of 1000 characters and a postponement without a date', async () => {
    const answer = await ask(STAFF, 'POST', `${E}/${(await given()).id}/postpone`, {
      payload: { new_start_date: null, reason: 'x'.repeat(1000), notify: true },
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'postponed', postponed_to: null } });
  });

  it('reports broken rules between fields by the field names of the body', async () => {
    const answer = await ask(STAFF, 'POST', `${E}/${(await given()).id}/postpone`, {
      payload: { new_start_date: '2026-11-06', new_end_date: '2026-11-05', reason: 'x' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toBe('/new_end_date must not be before new_start_date');
  });

  it('refuses a new time without a new date', async () => {
    const { id } = await given();
    const payload = { new_start_date: null, new_start_time: '18:00', reason: 'x' };
    const answer = await ask(STAFF, 'POST', `${E}/${id}/postpone`, { payload });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: '/new_start_date is required when new_start_time is set' },
    });
  });
});

describe('the permissions of transitions', () => {
  it.each([
    ['publish', 'events.publish', 'scheduled'],
    ['cancel', 'events.cancel', 'published'],
  ] as const)('%s is enough with %s alone', async (move, permission, status) => {
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
