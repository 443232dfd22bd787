import { describe, expect, it } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { Refused } from '../../../src/core/errors.ts';
import { releaseDue, undoChange } from '../../../src/events/undo-or-release.ts';
import { eventWatch } from '../../../src/mongo/events/event-watch.ts';
import { aContact } from '../../support/builders.ts';
import { callerOf, E, EVERYTHING, PARENT, provideHttp, type Served, STAFF } from '../../support/http/http-app.ts';
import { withMovedClock } from '../../support/moved-clock.ts';
import { made } from './made-series.ts';

const served = await provideHttp();

const UNDO = '/api/v1/operations/changes';
const REMINDERS = [{ type: 'email' as const, offset: 60 }];

/** Each change that can be undone: the status that allows it, and its fact. */
const CHANGES = [
  ['publish', 'draft', 'event.published'],
  ['unpublish', 'published', 'event.unpublished'],
  ['cancel', 'published', 'event.cancelled'],
  ['postpone', 'published', 'event.postponed'],
  ['delete', 'published', 'event.deleted'],
] as const;
type Action = (typeof CHANGES)[number][0];

const INPUT: Partial<Record<Action, object>> = {
  cancel: { reason: 'Storm' },
  postpone: { reason: 'Storm', new_start_date: '2026-11-20' },
};

const hold = (served: Served, action: Action, id: string, query = 'hold_seconds=10') =>
  action === 'delete'
    ? served.ask(EVERYTHING, 'DELETE', `${E}/${id}?${query}`)
    : served.ask(EVERYTHING, 'POST', `${E}/${id}/${action}?${query}`, INPUT[action] ? { payload: INPUT[action] } : {});

const undo = ({ ask }: Served, change_id: string, who = EVERYTHING) => ask(who, 'POST', `${UNDO}/${change_id}/undo`);

function pass({ now }: Served, seconds: number): void {
  now.at = new Date(now.at.getTime() + seconds * 1_000);
}

const remindersOf = async ({ stores }: Served, id: string) =>
  stores.database.collection('reminders').find({ event_id: id }).toArray();

/** The stored events without what every write changes. */
const eventsOf = async ({ tables }: Served) =>
  (await tables.events()).map(({ version: _, held_until: __, ...event }) => event);

describe('a change that is held', () => {
  it.each(CHANGES)('%s of a %s event is undone without a trace', async (action, status) => {
    const { id } = await served.given({ status: 'draft', reminders: REMINDERS });
    if (status === 'published') expect((await served.ask(STAFF, 'POST', `${E}/${id}/publish`)).status).toBe(200);
    const before = { events: await eventsOf(served), reminders: await remindersOf(served, id) };
    const facts = await served.tables.facts();

    pass(served, 1);
    const { status: answered, body } = await hold(served, action, id);
    expect(answered).toBe(200);
    expect(body.undo).toEqual({
      change_id: expect.any(String),
      until: new Date(served.now.at.getTime() + 10_000).toISOString(),
    });
    expect(await eventsOf(served)).not.toEqual(before.events);
    pass(served, 9);
    expect(await undo(served, body.undo.change_id)).toMatchObject({ status: 200, body: { event_ids: [id] } });
    expect(await undo(served, body.undo.change_id)).toMatchObject({ status: 200, body: { event_ids: [id] } });

    expect(await eventsOf(served)).toEqual(before.events);
    pass(served, 60);
    expect(await releaseDue(served.stores)).toBe(0);
    expect(await remindersOf(served, id)).toEqual(before.reminders);
    expect(await served.tables.facts()).toEqual(facts);
  });

  it.each(CHANGES)('%s of a %s event notifies people once after its time, and can’t be undone then', async (...row) => {
    const [action, status, fact] = row;
    const { id } = await served.given({ status, reminders: REMINDERS });
    const { body } = await hold(served, action, id);
    pass(served, 10);
    expect(await releaseDue(served.stores)).toBe(0);
    expect(await undo(served, body.undo.change_id)).toMatchObject({
      status: 409,
      body: { code: 'not_undoable', reason: 'late' },
    });
    expect(await served.tables.facts()).toEqual([]);
    pass(served, 1);
    expect(await releaseDue(served.stores)).toBe(1);
    expect(await releaseDue(served.stores)).toBe(0);
    expect(await served.stores.heldChanges.findNextDue()).toBeNull();
    const change = await served.stores.database.collection('held_changes').findOne({});
    expect(change?.expires_at).toEqual(new Date(served.now.at.getTime() + 3_600_000));
    expect((await served.tables.facts()).map(({ type }) => type)).toEqual([fact]);
    expect(await undo(served, body.undo.change_id)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    const planned = (await remindersOf(served, id)).filter((row) => row.status === 'planned');
    expect(planned).toHaveLength(action === 'publish' || action === 'postpone' ? 1 : 0);
  });

  it('is in the history with its author while it is held, in the same place once it is released, and no longer once undone', async () => {
    const { ask, tables, given } = served;
    await tables.contacts.put(aContact('karl', { name: 'Karl Novák' }));
    const { id } = await given({ status: 'draft' });
    const history = async (query = '') => (await ask(EVERYTHING, 'GET', `${E}/${id}/timeline${query}`)).body;
    await hold(served, 'publish', id);
    const { data: published } = await history();
    expect(published).toMatchObject([{ type: 'event.published', actor: { user_id: 'karl', name: 'Karl Novák' } }]);
    expect((await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { title: 'Better' } })).status).toBe(200);
    const { change_id } = (await hold(served, 'cancel', id)).body.undo;
    const all = (await history()).data as { type: string }[];
    expect(all.map(({ type }) => type)).toEqual(['event.cancelled', 'event.edited', 'event.published']);
    const first = await history('?limit=1');
    expect((await history(`?limit=2&cursor=${first.next_cursor}`)).data).toEqual(all.slice(1));
    await undo(served, change_id);
    expect((await history()).data).toEqual(all.slice(1));
    pass(served, 11);
    await releaseDue(served.stores);
    expect((await history()).data).toEqual(all.slice(1));
  });

  it('signals other open pages when it is made, undone and released', async () => {
    const { id } = await served.given({ status: 'published' });
    const watch = eventWatch(served.stores.database);
    const signalled: string[] = [];
    const stop = await watch.listen(
      (changed) => signalled.push(changed),
      () => {},
    );
    /** Signals come in order, so a later one ends the wait. */
    const isSignalledBy = async (act: () => Promise<unknown>) => {
      const earlier = await served.given();
      await expect.poll(() => signalled).toContain(earlier.id);
      await act();
      const later = await served.given();
      await expect.poll(() => signalled).toContain(later.id);
      return signalled.slice(signalled.indexOf(earlier.id), signalled.indexOf(later.id)).includes(id);
    };
    const holdIt = async (action: Action) => (await hold(served, action, id)).body.undo.change_id as string;
    let change_id = '';
    expect(await isSignalledBy(async () => (change_id = await holdIt('unpublish')))).toBe(true);
    expect(await watch.findHidden([id])).toEqual(new Set([id]));
    expect(await isSignalledBy(() => undo(served, change_id))).toBe(true);
    expect(await isSignalledBy(() => holdIt('cancel'))).toBe(true);
    pass(served, 11);
    expect(await isSignalledBy(() => releaseDue(served.stores))).toBe(true);
    await stop();
  });

  it('is undone only by people with its permission, in their own school', async () => {
    const { id } = await served.given({ status: 'published' });
    const { change_id } = (await hold(served, 'cancel', id)).body.undo;
    expect(await undo(served, change_id, PARENT)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await undo(served, change_id, { ...EVERYTHING, school_id: 's2' })).status).toBe(404);
    expect((await undo(served, 'unknown')).status).toBe(404);
    const colleague = { ...STAFF, user_id: 'colleague' };
    expect((await undo(served, change_id, colleague)).status).toBe(200);
  });

  it('has its reminders again, as it was edited meanwhile, and another ETag than before it was undone', async () => {
    const { id } = await served.given({ status: 'draft', reminders: REMINDERS });
    expect((await served.ask(STAFF, 'POST', `${E}/${id}/publish`)).status).toBe(200);
    pass(served, 1);
    const { change_id } = (await hold(served, 'unpublish', id)).body.undo;
    pass(served, 1);
    const edited = await served.ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { title: 'Better' } });
    expect((await undo(served, change_id)).status).toBe(200);
    expect(await remindersOf(served, id)).toMatchObject([{ status: 'planned' }]);
    const { body, headers } = await served.ask(STAFF, 'GET', `${E}/${id}`);
    expect(body).toMatchObject({ status: 'published', title: 'Better', updated_at: edited.body.updated_at });
    expect(headers.etag).not.toBe(edited.headers.etag);
  });

  it('keeps registrations and edits that were made meanwhile', async () => {
    const { id } = await served.given({ status: 'draft', registration_type: 'optional' });
    const { change_id } = (await hold(served, 'publish', id)).body.undo;
    const registered = await served.ask(STAFF, 'POST', `${E}/${id}/registrations`, {
      payload: { kind: 'attendee', user_id: 'eva' },
    });
    expect(registered.status).toBe(201);
    expect((await served.ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { title: 'Better' } })).status).toBe(200);
    expect((await undo(served, change_id)).status).toBe(200);
    expect(await served.ask(STAFF, 'GET', `${E}/${id}`)).toMatchObject({
      body: { status: 'draft', published_at: null, title: 'Better', current_attendees: 1 },
    });
  });

  it.each([{ start_time: '11:15', end_time: '12:15' }, { location_name: 'Hall' }])(
    'does not publish an event again that was given %j meanwhile, of which no one would be notified',
    async (payload) => {
      const { id } = await served.given({ status: 'published' });
      const { change_id } = (await hold(served, 'unpublish', id)).body.undo;
      expect((await served.ask(STAFF, 'PATCH', `${E}/${id}`, { payload })).status).toBe(200);
      expect(await undo(served, change_id)).toMatchObject({ status: 409, body: { reason: 'changed' } });
      expect((await served.ask(STAFF, 'GET', `${E}/${id}`)).body.status).toBe('draft');
    },
  );

  it('is undone only before a later change of the same fields', async () => {
    const { id } = await served.given({ status: 'draft' });
    const published = (await hold(served, 'publish', id)).body.undo.change_id;
    const cancelled = (await hold(served, 'cancel', id)).body.undo.change_id;
    expect(await undo(served, published)).toMatchObject({
      status: 409,
      body: { code: 'not_undoable', reason: 'changed' },
    });
    expect((await undo(served, cancelled)).status).toBe(200);
    expect((await undo(served, published)).status).toBe(200);
    expect((await served.ask(STAFF, 'GET', `${E}/${id}`)).body.status).toBe('draft');
  });

  it('is undone or released in all dates of a series together', async () => {
    const served = await made({ reminders: REMINDERS });
    const before = await eventsOf(served);
    const holdThree = () => hold(served, 'publish', served.idOf(1), 'hold_seconds=10&scope=following');
    const { body } = await holdThree();
    expect(body.occurrences.changed).toHaveLength(3);
    expect((await undo(served, body.undo.change_id)).body.event_ids).toHaveLength(3);
    expect(await eventsOf(served)).toEqual(before);
    await holdThree();
    const history = async () => (await served.ask(EVERYTHING, 'GET', `${E}/${served.idOf(2)}/timeline`)).body.data;
    const held = await history();
    pass(served, 11);
    expect(await releaseDue(served.stores)).toBe(1);
    expect(await history()).toEqual(held);
    for (const n of [1, 2, 3]) expect(await remindersOf(served, served.idOf(n))).toHaveLength(1);
  });

  it('is not undone if a new rule has given the series another event on the deleted date', async () => {
    const served = await made();
    const { change_id } = (await hold(served, 'delete', served.idOf(3))).body.undo;
    const rule = { payload: { recurrence_count: 5 } };
    expect((await served.ask(STAFF, 'PATCH', `${E}/${served.idOf(0)}`, rule)).status).toBe(200);
    expect(await undo(served, change_id)).toMatchObject({ status: 409, body: { reason: 'changed' } });
    const dates = (await served.inOrder()).filter((event) => !event.deleted_at).map((event) => event.start_date);
    expect(dates).toEqual(['2026-10-12', '2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09']);
  });

  it('promotes no one from the waitlist of an event whose publication may be undone', async () => {
    const { id } = await served.given({ registration_type: 'optional', max_attendees: 1, waitlist_enabled: true });
    const join = (user_id: string) =>
      served.ask(STAFF, 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee', user_id } });
    const [{ body: first }] = [await join('anna'), await join('eva')];
    await served.ask(STAFF, 'POST', `${E}/${id}/unpublish`);
    await hold(served, 'publish', id);
    expect((await served.ask(STAFF, 'POST', `${E}/${id}/registrations/${first.id}/cancel`)).status).toBe(200);
    const statuses = (await served.tables.registrations()).map(({ user_id, status }) => [user_id, status]);
    expect(Object.fromEntries(statuses)).toEqual({ anna: 'cancelled', eva: 'waitlisted' });
  });

  it('wakes the loops when it is undone, for what is due again and for places that became free meanwhile', async () => {
    const { id } = await served.given({ status: 'published' });
    const { change_id } = (await hold(served, 'cancel', id)).body.undo;
    let wakeUps = 0;
    served.stores.database.work.subscribe(() => {
      wakeUps += 1;
    });
    expect((await undo(served, change_id)).status).toBe(200);
    expect(wakeUps).toBeGreaterThan(0);
  });

  it('answers a repeated request with the same change', async () => {
    const { id } = await served.given({ status: 'draft' });
    const ask = () =>
      served.ask(STAFF, 'POST', `${E}/${id}/publish?hold_seconds=10`, { headers: { 'idempotency-key': 'hold' } });
    const [first, second] = [await ask(), await ask()];
    expect(second.body.undo).toEqual(first.body.undo);
    expect((await undo(served, first.body.undo.change_id)).status).toBe(200);
  });

  it.each(['61', '-1', '1.5', 'x'])('refuses to be held for %s seconds', async (seconds) => {
    const { id } = await served.given({ status: 'draft' });
    expect((await hold(served, 'publish', id, `hold_seconds=${seconds}`)).status).toBe(422);
  });
});

it('either undoes or releases a change when both happen at the same time', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await served.given({ status: 'draft' })).id));
  const changes = await Promise.all(
    ids.map(async (id) => ({ id, change_id: (await hold(served, 'publish', id)).body.undo.change_id as string })),
  );
  // A clock that is ahead meets an API that is behind.
  const late = { now: () => new Date(served.now.at.getTime() + 20_000) };
  const clock = storesOn(withMovedClock(served.stores.database, late));
  const clocks = Promise.all([releaseDue(clock), releaseDue(clock)]);
  const undone = await Promise.all(
    changes.map(({ change_id }) =>
      undoChange(served.stores, callerOf(STAFF), change_id).then(
        () => true,
        (error) => {
          expect(error).toBeInstanceOf(Refused);
          expect(error.refusal.code).toBe('not_undoable');
          return false;
        },
      ),
    ),
  );
  await clocks;
  await releaseDue(clock);
  const facts = await served.tables.facts();
  const events = new Map((await served.tables.events()).map((event) => [event.id, event.status]));
  for (const [n, { id }] of changes.entries()) {
    const recorded = facts.filter(({ event_id }) => event_id === id);
    expect([recorded.length, events.get(id)]).toEqual(undone[n] ? [0, 'draft'] : [1, 'published']);
  }
});
