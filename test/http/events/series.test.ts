import { describe, expect, it } from 'vitest';
import { aContact, at } from '../../support/builders.ts';
import { type Answer, E, faultsOf, PARENT, provideHttp, STAFF, valuesOf } from '../../support/http/http-app.ts';
import { made, NEW } from './made-series.ts';

const { ask, tables } = await provideHttp();

describe('a series', () => {
  it('is created with its occurrences', async () => {
    const { id, body, inOrder, tables } = await made();
    expect(body).toMatchObject({ parent_event_id: null, occurrence_date: '2026-10-12', status: 'draft' });
    expect(
      (await inOrder()).map((event) => [event.start_date, event.starts_at.toISOString(), event.parent_event_id]),
    ).toEqual([
      ['2026-10-12', '2026-10-12T14:00:00.000Z', null],
      ['2026-10-19', '2026-10-19T14:00:00.000Z', id],
      ['2026-10-26', '2026-10-26T15:00:00.000Z', id],
      ['2026-11-02', '2026-11-02T15:00:00.000Z', id],
    ]);
    expect((await tables.facts()).map(({ type }) => type)).toEqual(Array(4).fill('event.created'));
  });

  it('accepts 366 occurrences and refuses 367', async () => {
    const daily = { ...NEW, recurrence_pattern: 'daily', recurrence_count: 366 };
    expect((await ask(STAFF, 'POST', E, { payload: daily })).status).toBe(201);
    expect(await tables.events()).toHaveLength(366);
    const endless = { ...daily, recurrence_count: null, recurrence_end_date: '2029-01-01' };
    expect(faultsOf(await ask(STAFF, 'POST', E, { payload: endless }))).toEqual([
      '/recurrence_end_date must leave at most 366 occurrences',
    ]);
  });

  it.each([
    ['this', ['Choir', 'Band', 'Choir', 'Choir']],
    ['following', ['Choir', 'Band', 'Band', 'Band']],
    ['all', ['Band', 'Band', 'Band', 'Band']],
  ])('is edited with scope %s', async (scope, titles) => {
    const { ask, idOf, inOrder } = await made();
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}?scope=${scope}`, { payload: { title: 'Band' } });
    expect((await inOrder()).map(({ title }) => title)).toEqual(titles);
  });

  it('keeps only the fields that an occurrence overrides, and says so', async () => {
    const { ask, idOf, inOrder, tables } = await made();
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}`, { payload: { title: 'Quire' } });
    await ask(STAFF, 'PATCH', `${E}/${idOf(2)}`, { payload: { end_time: '17:30' } });
    await tables.events.set({ current_attendees: 1 }, idOf(3));
    const payload = { title: 'Band', start_time: '14:00', end_time: '15:30' };
    const preview = await ask(STAFF, 'PATCH', `${E}/${idOf(0)}?scope=all&dry_run=true`, { payload });
    const { body } = await ask(STAFF, 'PATCH', `${E}/${idOf(0)}?scope=all`, { payload });
    expect((await inOrder()).map(({ title, start_time, end_time }) => [title, start_time, end_time])).toEqual([
      ['Band', '14:00', '15:30'],
      ['Quire', '14:00', '15:30'],
      ['Band', '14:00', '17:30'],
      ['Band', '14:00', '15:30'],
    ]);
    expect(body.occurrences).toEqual(preview.body.occurrences);
    expect(
      body.occurrences.changed.map((one: { change: string; fields: string[] }) => [one.change, one.fields]),
    ).toEqual([
      ['edited', ['title', 'start_time', 'end_time']],
      ['edited', ['start_time', 'end_time']],
      ['edited', ['title', 'start_time']],
      ['edited', ['title', 'start_time', 'end_time']],
    ]);
    expect(body.occurrences.left_out).toMatchObject([
      { id: idOf(1), start_date: '2026-10-19', fields: ['title'], code: 'overridden' },
      { id: idOf(2), fields: ['end_time'], code: 'overridden' },
    ]);
  });

  it('lets an edit of the whole series end the override of its own date', async () => {
    const { ask, idOf, inOrder } = await made();
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}`, { payload: { title: 'Quire' } });
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}?scope=all`, { payload: { title: 'Band' } });
    await ask(STAFF, 'PATCH', `${E}/${idOf(0)}?scope=all`, { payload: { title: 'Choir' } });
    expect((await inOrder()).map(({ title }) => title)).toEqual(Array(4).fill('Choir'));
  });

  it('edits the others also if the addressed date has the value already', async () => {
    const { ask, idOf, inOrder } = await made();
    const payload = { title: 'Quire' };
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}`, { payload });
    const { body } = await ask(STAFF, 'PATCH', `${E}/${idOf(1)}?scope=following`, { payload });
    expect(body.occurrences.changed.map(({ id }: { id: string }) => id)).toEqual([idOf(2), idOf(3)]);
    expect((await inOrder()).map(({ title }) => title)).toEqual(['Choir', 'Quire', 'Quire', 'Quire']);
  });

  it('names the occurrences that refuse an edit or a status, with the reason', async () => {
    const { ask, idOf, tables } = await made();
    await tables.events.set({ current_attendees: 9, max_attendees: 10 }, idOf(2));
    const edit = await ask(STAFF, 'PATCH', `${E}/${idOf(0)}?scope=all`, { payload: { max_attendees: 5 } });
    expect(edit.body.occurrences.left_out).toMatchObject([
      { id: idOf(2), fields: ['max_attendees'], code: 'capacity_below_occupied', detail: expect.stringContaining('9') },
    ]);
    await ask(STAFF, 'POST', `${E}/${idOf(1)}/cancel`, { payload: { reason: 'Half-term' } });
    const { body } = await ask(STAFF, 'POST', `${E}/${idOf(0)}/publish?scope=all`);
    expect(body.occurrences.left_out).toMatchObject([{ id: idOf(1), fields: [], code: 'invalid_transition' }]);
    expect(body.occurrences.changed).toHaveLength(3);
  });

  it('moves all occurrences by the same number of days', async () => {
    const { ask, idOf, inOrder } = await made();
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}?scope=following`, {
      payload: { start_date: '2026-10-21', end_date: '2026-10-21' },
    });
    expect((await inOrder()).map(({ start_date }) => start_date)).toEqual([
      '2026-10-12',
      '2026-10-21',
      '2026-10-28',
      '2026-11-04',
    ]);
  });

  it('is announced once and cancelled as a whole', async () => {
    const { ask, id, idOf, inOrder, tables } = await made();
    await ask(STAFF, 'POST', `${E}/${idOf(2)}/cancel`, { payload: { reason: 'Half-term' } });
    const { body } = await ask(STAFF, 'POST', `${E}/${idOf(3)}/publish?scope=all`);
    expect(body).toMatchObject({ id: idOf(3), status: 'published' });
    expect((await inOrder()).map(({ status }) => status)).toEqual(['published', 'published', 'cancelled', 'published']);
    const announced = (await tables.facts()).filter(({ type }) => type === 'event.published');
    const said = { sequence: 1, schedule_version: 1, says: expect.any(String) };
    expect(new Map(announced.map(({ event_id, data }) => [event_id, data]))).toEqual(
      new Map([
        [id, { ...said, also: [1, 3].map((n) => ({ ...said, event_id: idOf(n) })) }],
        [idOf(1), { ...said, announced_with: id }],
        [idOf(3), { ...said, announced_with: id }],
      ]),
    );
    await ask(STAFF, 'POST', `${E}/${idOf(1)}/cancel?scope=following`, { payload: { reason: 'No teacher' } });
    expect((await inOrder()).map(({ status, cancellation_reason }) => [status, cancellation_reason])).toEqual([
      ['published', null],
      ['cancelled', 'No teacher'],
      ['cancelled', 'Half-term'],
      ['cancelled', 'No teacher'],
    ]);
  });

  it('is scheduled, returned to draft and deleted with its occurrences', async () => {
    const { ask, id, idOf, inOrder } = await made();
    const statuses = async () => (await inOrder()).map(({ status, deleted_at }) => (deleted_at ? 'gone' : status));
    await ask(STAFF, 'POST', `${E}/${idOf(1)}/schedule?scope=following`, { payload: {} });
    expect(await statuses()).toEqual(['draft', 'scheduled', 'scheduled', 'scheduled']);
    await ask(STAFF, 'POST', `${E}/${id}/publish?scope=all`);
    await ask(STAFF, 'POST', `${E}/${id}/unpublish?scope=all`);
    expect(await statuses()).toEqual(['draft', 'draft', 'draft', 'draft']);
    // Deleting a scheduled event needs one more permission.
    await ask(STAFF, 'POST', `${E}/${idOf(2)}/schedule`, { payload: {} });
    const who = { ...STAFF, permissions: ['events.view', 'events.update', 'events.delete'] };
    const preview = await ask(who, 'DELETE', `${E}/${idOf(1)}?scope=following&dry_run=true`);
    expect(preview.body).toMatchObject({ status: 'deleted', changed_events: 2 });
    const deleted = await ask(who, 'DELETE', `${E}/${idOf(1)}?scope=following`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ occurrences: preview.body.occurrences });
    expect(preview.body.occurrences.left_out).toMatchObject([{ id: idOf(2), code: 'forbidden' }]);
    expect(await statuses()).toEqual(['draft', 'gone', 'scheduled', 'gone']);
    const admin = { ...who, permissions: [...who.permissions, 'events.delete.any'] };
    expect((await ask(admin, 'DELETE', `${E}/${idOf(0)}?scope=all`)).status).toBe(204);
  });

  it('leaves out a date that a postponement would move into the past', async () => {
    const { ask, idOf } = await made();
    await ask(STAFF, 'POST', `${E}/${idOf(0)}/publish?scope=all`);
    await ask(STAFF, 'PATCH', `${E}/${idOf(3)}`, { payload: { start_date: '2026-09-05', end_date: '2026-09-05' } });
    const payload = { new_start_date: '2026-10-05', reason: 'The hall is free.' };
    const { status, body } = await ask(STAFF, 'POST', `${E}/${idOf(0)}/postpone?scope=all`, { payload });
    expect([status, body.occurrences.changed.length]).toEqual([200, 3]);
    expect(body.occurrences.left_out).toEqual([
      {
        id: idOf(3),
        start_date: '2026-09-05',
        fields: [],
        code: 'validation_failed',
        detail: '/new_start_date must be in the future',
      },
    ]);
  });

  it('is postponed by as many days on each date, with its deadlines', async () => {
    const { ask, id, idOf, inOrder, tables } = await made();
    await ask(STAFF, 'POST', `${E}/${id}/publish?scope=all`);
    const asked = { new_start_date: '2026-10-21', new_registration_deadline: '2026-10-20T10:00:00Z', reason: 'Ill' };
    const url = `${E}/${idOf(1)}/postpone?scope=following`;
    expect((await ask(STAFF, 'POST', url, { payload: asked })).status).toBe(200);
    expect(
      (await inOrder()).map(({ start_date, registration_deadline }) => [start_date, registration_deadline]),
    ).toEqual([
      ['2026-10-12', null],
      ['2026-10-21', at('2026-10-20T10:00:00Z')],
      // Winter time begins on 25 October.
      ['2026-10-28', at('2026-10-27T11:00:00Z')],
      ['2026-11-04', at('2026-11-03T11:00:00Z')],
    ]);
    const postponed = (await tables.facts()).filter(({ type }) => type === 'event.postponed');
    expect(postponed.filter(({ data }) => 'also' in data)).toHaveLength(1);
    expect(postponed.filter(({ data }) => 'announced_with' in data)).toHaveLength(2);
  });

  it.each([
    ['this', '2026-11-02', ['2026-10-14', '2026-10-20', '2026-10-27', '2026-11-03', '2026-11-10']],
    ['all', '2026-11-03', ['2026-10-14', '2026-10-21', '2026-10-28', '2026-11-04', '2026-11-11']],
  ])('goes on as one after a postponement with scope %s', async (scope, end, dates) => {
    const { ask, idOf, inOrder } = await made({ recurrence_count: null, recurrence_end_date: '2026-11-02' });
    await ask(STAFF, 'POST', `${E}/${idOf(0)}/publish?scope=all`);
    const payload = { new_start_date: '2026-10-13', reason: 'The hall is free.' };
    await ask(STAFF, 'POST', `${E}/${idOf(0)}/postpone?scope=${scope}`, { payload });
    expect((await inOrder()).map((event) => event.recurrence_end_date)).toEqual(Array(4).fill(end));
    const moved = { start_date: '2026-10-14', end_date: '2026-10-14' };
    await ask(STAFF, 'PATCH', `${E}/${idOf(0)}?scope=all`, { payload: moved });
    await ask(STAFF, 'PATCH', `${E}/${idOf(0)}`, { payload: { recurrence_end_date: '2026-11-11' } });
    expect((await inOrder()).map(({ start_date }) => start_date)).toEqual(dates);
  });

  it('previews one announcement for the whole series', async () => {
    const { ask, id, deps } = await made();
    await deps.contacts.putMany([aContact('anna', { email: 'a@b.cz' })]);
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/publish?scope=all&dry_run=true`);
    expect(body).toMatchObject({ changed_events: 4, audience: { email: { told: 1 }, in_app: { told: 1 } } });
  });

  it('creates occurrences for an event that becomes recurring, as drafts without registrations', async () => {
    const { ask, given, tables } = await made();
    const single = await given({ current_attendees: 3 });
    const rule = { is_recurring: true, recurrence_pattern: 'daily', recurrence_count: 3 };
    expect((await ask(STAFF, 'PATCH', `${E}/${single.id}`, { payload: rule })).status).toBe(200);
    const children = (await tables.events()).filter((event) => event.parent_event_id === single.id);
    const fresh = { status: 'draft', current_attendees: 0, published_at: null };
    expect(children).toMatchObject([fresh, fresh]);
  });

  it('moves both ends of a date that falls into the spring clock change', async () => {
    const night = { ...NEW, start_date: '2027-03-21', end_date: '2027-03-21', start_time: '02:30', end_time: '03:00' };
    expect((await ask(STAFF, 'POST', E, { payload: { ...night, recurrence_count: 2 } })).status).toBe(201);
    const moved = (await tables.events()).find(({ start_date }) => start_date === '2027-03-28');
    expect([moved?.starts_at, moved?.ends_at]).toEqual([at('2027-03-28T01:30:00Z'), at('2027-03-28T02:00:00Z')]);
  });

  it('lists its occurrences in order, from any of them, and filters lists by its first event', async () => {
    const { ask, id, idOf } = await made();
    const page = await ask(STAFF, 'GET', `${E}/${idOf(2)}/occurrences?limit=3`);
    const ids = (answer: Answer) => valuesOf(answer, 'id');
    expect(ids(page)).toEqual([id, idOf(1), idOf(2)]);
    const rest = await ask(STAFF, 'GET', `${E}/${idOf(2)}/occurrences?limit=3&cursor=${page.body.next_cursor}`);
    expect(ids(rest)).toEqual([idOf(3)]);
    expect(ids(await ask(STAFF, 'GET', `${E}?parent_event_id=${id}`))).toEqual([idOf(1), idOf(2), idOf(3)]);
    await ask(STAFF, 'POST', `${E}/${idOf(1)}/publish`);
    expect(ids(await ask(PARENT, 'GET', `${E}/${idOf(1)}/occurrences`))).toEqual([idOf(1)]);
  });
});
