import { describe, expect, it } from 'vitest';
import { EVENT_STATUSES, type EventStatus } from '../../src/events/event.ts';
import { E, PARENT, STAFF, serve } from '../support/http-app.ts';

const BODY: Record<string, object | undefined> = {
  cancel: { reason: 'The hall is flooded.' },
  postpone: { new_start_date: '2026-11-06', reason: 'The conductor is ill.' },
};

// §3 and decisions.md "Lifecycle", by hand: rows are states, columns the moves there are.
const MOVES = ['publish', 'unpublish', 'cancel', 'postpone', 'start', 'complete'] as const;
const TABLE: Record<EventStatus, (EventStatus | null)[]> = {
  draft: ['published', null, 'cancelled', null, null, null],
  scheduled: ['published', null, 'cancelled', 'postponed', null, null],
  published: [null, 'draft', 'cancelled', 'postponed', 'in_progress', null],
  in_progress: [null, null, 'cancelled', null, null, 'completed'],
  completed: [null, null, null, null, null, null],
  cancelled: [null, null, null, null, null, null],
  postponed: ['published', null, 'cancelled', null, null, null],
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

describe('every move in every state', () => {
  for (const status of EVENT_STATUSES) {
    for (const [column, move] of MOVES.entries()) {
      const to = TABLE[status][column];
      it(`${move} of a ${status} event ${to ? `makes it ${to}` : 'is refused'}`, async () => {
        const { ask, given, tables } = await serve();
        const { id } = given({ status });
        const answer = await ask(STAFF, 'POST', `${E}/${id}/${move}`, BODY[move] ? { payload: BODY[move] } : {});
        if (to) {
          expect(answer.status).toBe(200);
          expect(answer.body).toMatchObject({ id, status: to, allowed_actions: OFFERED[to] });
          expect(answer.headers.etag).toBe('"v2"');
          expect(tables.facts).toHaveLength(1);
        } else {
          expect(answer.status).toBe(409);
          expect(answer.body).toMatchObject({
            code: 'invalid_transition',
            status: 409,
            current_status: status,
            allowed_actions: OFFERED[status],
          });
          expect(tables.facts).toHaveLength(0);
        }
      });
    }
  }
});

describe('the bodies of the moves', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['no body', {}],
    ['an empty body of JSON type', { headers: json }],
    ['any object', { payload: { reason: 'ignored', x: 1 } }],
    ['null', { payload: 'null', headers: json }],
  ])('publish ignores %s', async (_name, more) => {
    const { ask, given } = await serve();
    const { id } = given({ status: 'draft' });
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
    ['nothing', 'postpone', undefined, ['/new_start_date is required', '/reason is required']],
    [
      'everything wrong at once',
      'postpone',
      { new_start_date: '2026-02-30', new_end_time: '24:00', reason: 1, extra: 1 },
      [
        '/extra is not a known field',
        '/new_start_date must be a date that exists, YYYY-MM-DD, from 1900 to 2999',
        '/new_end_time must be a time of day, HH:MM',
        '/reason must be string',
      ],
    ],
  ])('%s to %s is refused field by field', async (_name, move, payload, faults) => {
    const { ask, given, tables } = await serve();
    const { id } = given();
    const answer = await ask(STAFF, 'POST', `${E}/${id}/${move}`, payload ? { payload } : {});
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('validation_failed');
    const told = answer.body.errors.map(
      (error: { pointer: string; message: string }) => `${error.pointer} ${error.message}`,
    );
    expect(told.sort()).toEqual([...faults].sort());
    expect(tables.facts).toHaveLength(0);
  });

  it('takes a reason of 1000 characters, and a postponement without a date', async () => {
    const { ask, given } = await serve();
    const answer = await ask(STAFF, 'POST', `${E}/${given().id}/postpone`, {
      payload: { new_start_date: null, reason: 'x'.repeat(1000), notify: true },
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'postponed', postponed_to: null } });
  });

  it('says that the rules between fields are broken in the words of the body', async () => {
    const { ask, given } = await serve();
    const answer = await ask(STAFF, 'POST', `${E}/${given().id}/postpone`, {
      payload: { new_start_date: '2026-11-06', new_end_date: '2026-11-05', reason: 'x' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe('/new_end_date');
  });
});

describe('who may move an event', () => {
  it.each([
    ['publish', 'events.publish or events.update'],
    ['unpublish', 'events.publish or events.update'],
    ['cancel', 'events.cancel or events.update'],
    ['postpone', 'events.update'],
    ['start', 'events.update'],
    ['complete', 'events.update'],
  ])('%s needs %s, whatever the body', async (move, needed) => {
    const { ask, given } = await serve();
    const answer = await ask(PARENT, 'POST', `${E}/${given().id}/${move}`, { payload: { nonsense: true } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', detail: `needs ${needed}` } });
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
      `${E}/${given({ status }).id}/${move}`,
      BODY[move] ? { payload: BODY[move] } : {},
    );
    expect(answer.status).toBe(200);
  });
});
