import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { E, STAFF, serve, type Told } from '../../support/http/http-app.ts';

const faultsOf = ({ body }: Told) =>
  body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);

describe('a series', () => {
  const NEW = {
    title: 'Choir',
    event_type: 'cultural',
    start_date: '2026-10-12',
    end_date: '2026-10-12',
    start_time: '16:00',
    end_time: '17:00',
    timezone: 'Europe/Prague',
    is_recurring: true,
    recurrence_pattern: 'weekly',
    recurrence_count: 4,
  };

  async function made() {
    const served = await serve();
    const { body } = await served.ask(STAFF, 'POST', E, { payload: NEW });
    const inOrder = async () =>
      (await served.tables.events()).sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
    const ids = (await inOrder()).map((event) => event.id);
    const idOf = (n: number) => ids[n] ?? '';
    return { ...served, id: String(body.id), body, inOrder, idOf };
  }

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
    const { ask, tables } = await serve();
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

  it('skips overridden occurrences and those with registrations', async () => {
    const { ask, idOf, inOrder, tables } = await made();
    await ask(STAFF, 'PATCH', `${E}/${idOf(1)}`, { payload: { start_time: '15:00' } });
    await tables.events.set({ current_attendees: 1 }, idOf(2));
    await ask(STAFF, 'PATCH', `${E}/${idOf(0)}?scope=all`, { payload: { start_time: '14:00', end_time: '15:30' } });
    expect((await inOrder()).map(({ start_time }) => start_time)).toEqual(['14:00', '15:00', '16:00', '14:00']);
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
    expect(announced.map(({ event_id, data }) => [event_id === id, data])).toEqual(
      expect.arrayContaining([
        [true, { sequence: 1, schedule_version: 1, says: expect.any(String) }],
        [false, { sequence: 1, schedule_version: 1, announced_with: id }],
      ]),
    );
    expect(announced.filter(({ data }) => !('announced_with' in data))).toHaveLength(1);
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
    // A scheduled one needs a permission more, and is left where it is without it.
    await ask(STAFF, 'POST', `${E}/${idOf(2)}/schedule`, { payload: {} });
    const who = { ...STAFF, permissions: ['events.view', 'events.update', 'events.delete'] };
    const foreseen = await ask(who, 'DELETE', `${E}/${idOf(1)}?scope=following&dry_run=true`);
    expect(foreseen.body).toMatchObject({ status: 'deleted', changed_events: 2 });
    expect((await ask(who, 'DELETE', `${E}/${idOf(1)}?scope=following`)).status).toBe(204);
    expect(await statuses()).toEqual(['draft', 'gone', 'scheduled', 'gone']);
  });

  it('previews one announcement for the whole series', async () => {
    const { ask, id, deps } = await made();
    const contact = { tenant_id: 't1', school_id: 's1', user_id: newId(), email: 'a@b.cz', guardians: [] };
    const rest = { name: 'A', phone: null, roles: ['student' as const], class_ids: [], grade_level_ids: [] };
    const last = { department_ids: [], locale: null, timezone: null, updated_at: new Date(0) };
    await deps.contacts.putMany([{ ...contact, ...rest, ...last }]);
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/publish?scope=all&dry_run=true`);
    expect(body).toMatchObject({ changed_events: 4, audience: { email: { told: 1 }, in_app: { told: 1 } } });
  });

  it('refuses a new rule, and creates occurrences for an event that becomes recurring', async () => {
    const { ask, id, given, tables } = await made();
    const other = await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { recurrence_count: 5 } });
    expect(faultsOf(other)).toEqual(['/recurrence_count can’t be changed once the series exists']);
    const single = await given({ status: 'draft' });
    const rule = { is_recurring: true, recurrence_pattern: 'daily', recurrence_count: 3 };
    expect((await ask(STAFF, 'PATCH', `${E}/${single.id}`, { payload: rule })).status).toBe(200);
    expect((await tables.events()).filter((event) => event.parent_event_id === single.id)).toHaveLength(2);
  });

  it('is refused as a whole if one occurrence falls into the spring clock change', async () => {
    const { ask, tables } = await serve();
    const night = { ...NEW, start_date: '2027-03-21', end_date: '2027-03-21', start_time: '02:30', end_time: '03:00' };
    expect(faultsOf(await ask(STAFF, 'POST', E, { payload: night }))).toEqual([
      '/end_time must be after the start on 2027-03-28',
    ]);
    expect(await tables.events()).toEqual([]);
  });
});
