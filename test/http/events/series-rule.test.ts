import { describe, expect, it } from 'vitest';
import { E, faultsOf, STAFF, staffWith } from '../../support/http/http-app.ts';
import { made } from './made-series.ts';

describe('a series under another rule', () => {
  const dates = (events: { start_date: string; status: string; deleted_at: Date | null }[]) =>
    events.map(({ start_date, status, deleted_at }) => `${start_date} ${deleted_at ? 'deleted' : status}`);

  it('is lengthened by drafts after its last date, from any of its occurrences', async () => {
    const { ask, idOf, inOrder, id } = await made();
    await ask(STAFF, 'POST', `${E}/${id}/publish?scope=all`);
    await ask(STAFF, 'PATCH', `${E}/${idOf(2)}`, { payload: { title: 'Special' } });
    const { body } = await ask(STAFF, 'PATCH', `${E}/${idOf(1)}`, { payload: { recurrence_count: 6 } });
    expect(dates(await inOrder())).toEqual([
      '2026-10-12 published',
      '2026-10-19 published',
      '2026-10-26 published',
      '2026-11-02 published',
      '2026-11-09 draft',
      '2026-11-16 draft',
    ]);
    expect((await inOrder()).slice(4)).toMatchObject([
      { title: 'Choir', parent_event_id: id, occurrence_date: '2026-11-09', recurrence_count: 6, overrides: [] },
      { title: 'Choir' },
    ]);
    expect(body.occurrences.changed.map(({ change }: { change: string }) => change)).toEqual([
      ...Array(4).fill('edited'),
      'added',
      'added',
    ]);
  });

  it('is shortened: drafts are deleted, other dates cancelled, those with registrations kept or cancelled', async () => {
    const { ask, idOf, inOrder, id, tables } = await made();
    await ask(STAFF, 'POST', `${E}/${idOf(1)}/publish`);
    await ask(STAFF, 'POST', `${E}/${idOf(2)}/publish`);
    await tables.events.set({ current_attendees: 2 }, idOf(2));
    const payload = { recurrence_end_date: '2026-10-14' };
    const kept = await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, { payload });
    expect(kept.body.occurrences.left_out).toMatchObject([{ id: idOf(2), code: 'has_registrations' }]);
    expect(kept.body.occurrences.changed).toMatchObject([
      { change: 'edited' },
      { id: idOf(1), change: 'cancelled' },
      { change: 'edited' },
      { id: idOf(3), change: 'deleted' },
    ]);
    expect((await ask(STAFF, 'PATCH', `${E}/${id}?registered_dates=cancel`, { payload })).status).toBe(200);
    expect(dates(await inOrder())).toEqual([
      '2026-10-12 draft',
      '2026-10-19 cancelled',
      '2026-10-26 cancelled',
      '2026-11-02 deleted',
    ]);
    const cancelled = (await tables.facts()).filter(({ type }) => type === 'event.cancelled');
    expect(cancelled.map(({ data }) => data)).toMatchObject(
      Array(2).fill({ reason: 'This date is no longer part of the series.' }),
    );
    const headers = { 'accept-language': 'cs-CZ' };
    const event = await ask(STAFF, 'GET', `${E}/${idOf(1)}`, { headers });
    const timeline = await ask(STAFF, 'GET', `${E}/${idOf(1)}/timeline?limit=1`, { headers });
    const reason = 'Tento termín už do série nepatří.';
    expect([event.body.cancellation_reason, timeline.body.data[0].data.reason]).toEqual([reason, reason]);
  });

  it('gets another pattern, and keeps dates that both have', async () => {
    const { ask, inOrder, id } = await made();
    await ask(STAFF, 'PATCH', `${E}/${id}`, {
      payload: { recurrence_pattern: 'daily', recurrence_count: null, recurrence_end_date: '2026-10-14' },
    });
    expect(dates(await inOrder())).toEqual([
      '2026-10-12 draft',
      '2026-10-13 draft',
      '2026-10-14 draft',
      '2026-10-19 deleted',
      '2026-10-26 deleted',
      '2026-11-02 deleted',
    ]);
  });

  it('gets dates on the weekday that all of its dates were moved to', async () => {
    const { ask, inOrder, id } = await made();
    const payload = { start_date: '2026-10-14', end_date: '2026-10-14' };
    await ask(STAFF, 'PATCH', `${E}/${id}?scope=all`, { payload });
    await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { recurrence_count: 6 } });
    const added = { start_date: '2026-11-11', occurrence_date: '2026-11-09', recurrence_id: '20261109T150000Z' };
    expect((await inOrder()).slice(4)).toMatchObject([added, { start_date: '2026-11-18' }]);
  });

  it('gets no date behind its end, also if all of its dates were moved', async () => {
    const { ask, inOrder, id } = await made();
    const payload = { start_date: '2026-10-14', end_date: '2026-10-14' };
    await ask(STAFF, 'PATCH', `${E}/${id}?scope=all`, { payload });
    const until = { recurrence_count: null, recurrence_end_date: '2026-11-10' };
    expect((await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: until })).status).toBe(200);
    expect((await inOrder()).at(-1)).toMatchObject({ start_date: '2026-11-04' });
  });

  it('keeps and adds the dates up to its end, also if all of its dates were moved to an earlier weekday', async () => {
    const { ask, inOrder, id } = await made();
    const payload = { start_date: '2026-10-09', end_date: '2026-10-09' };
    await ask(STAFF, 'PATCH', `${E}/${id}?scope=all`, { payload });
    const endOn = (recurrence_end_date: string) =>
      ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { recurrence_count: null, recurrence_end_date } });
    await endOn('2026-10-30');
    expect(dates(await inOrder())).toEqual([
      '2026-10-09 draft',
      '2026-10-16 draft',
      '2026-10-23 draft',
      '2026-10-30 draft',
    ]);
    await endOn('2026-11-06');
    expect((await inOrder()).at(-1)).toMatchObject({ start_date: '2026-11-06', deleted_at: null });
    await endOn('2026-10-09');
    expect(dates(await inOrder()).filter((date) => date.endsWith('draft'))).toEqual(['2026-10-09 draft']);
  });

  it('ends as many days later if all of its dates are moved, so that a copy has all of them', async () => {
    const { ask, inOrder, id } = await made();
    const end = { recurrence_count: null, recurrence_end_date: '2026-11-02' };
    await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: end });
    const payload = { start_date: '2026-10-14', end_date: '2026-10-14' };
    await ask(STAFF, 'PATCH', `${E}/${id}?scope=all`, { payload });
    expect((await inOrder()).map((one) => one.recurrence_end_date)).toEqual(Array(4).fill('2026-11-04'));
    await ask(STAFF, 'POST', `${E}/${id}/duplicate`, { payload: {} });
    expect((await inOrder()).filter(({ title }) => title === 'Copy of Choir').at(-1)?.start_date).toBe('2026-11-04');
    await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { recurrence_end_date: '2026-11-03' } });
    const left = (await inOrder()).filter(({ title, deleted_at }) => title === 'Choir' && deleted_at === null);
    expect(left.at(-1)?.start_date).toBe('2026-10-28');
    const given = { start_date: '2026-10-15', end_date: '2026-10-15', recurrence_end_date: '2026-11-03' };
    const { body } = await ask(STAFF, 'PATCH', `${E}/${id}?scope=all`, { payload: given });
    expect(body).toMatchObject({ start_date: '2026-10-15', recurrence_end_date: '2026-11-03' });
  });

  it('does not bring back a date that was deleted', async () => {
    const { ask, inOrder, idOf, id } = await made();
    await ask(
      { ...STAFF, permissions: ['events.view', 'events.delete', 'events.update'] },
      'DELETE',
      `${E}/${idOf(1)}`,
    );
    await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { recurrence_count: 5 } });
    const left = (await inOrder()).filter(({ deleted_at }) => deleted_at === null);
    expect(left.map(({ start_date }) => start_date)).toEqual(['2026-10-12', '2026-10-26', '2026-11-02', '2026-11-09']);
  });

  it('does so neither after a change of the pattern that a date which is over did not follow', async () => {
    const { ask, inOrder, idOf, tables } = await made();
    await tables.events.set({ status: 'completed' }, idOf(0));
    await tables.events.set({ status: 'published' }, idOf(3));
    const edit = (payload: object) => ask(STAFF, 'PATCH', `${E}/${idOf(1)}`, { payload });
    await edit({ recurrence_pattern: 'daily', recurrence_count: 8 });
    const deleted = (await inOrder()).find(({ start_date }) => start_date === '2026-10-15');
    await ask(staffWith('events.delete'), 'DELETE', `${E}/${deleted?.id}`);
    await edit({ recurrence_count: 9 });
    const left = (await inOrder()).filter(({ deleted_at }) => deleted_at === null);
    expect(dates(left)).toEqual([
      '2026-10-12 completed',
      ...['13', '14', '16', '17', '18', '19', '20'].map((day) => `2026-10-${day} draft`),
      '2026-11-02 cancelled',
    ]);
  });

  it('is changed only by a caller who may edit all of its dates, so that an organizer cancels no published one', async () => {
    const { ask, inOrder, idOf, tables } = await made();
    const organizer = { user_id: 'jana', roles: ['staff'], permissions: ['events.view', 'events.create'] } as const;
    await tables.events.set({ organizer_id: 'jana' });
    await ask(STAFF, 'POST', `${E}/${idOf(3)}/publish`);
    const shortened = await ask(organizer, 'PATCH', `${E}/${idOf(1)}`, { payload: { recurrence_count: 2 } });
    expect(shortened).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await inOrder()).map(({ status }) => status)).toEqual(['draft', 'draft', 'draft', 'published']);
  });

  it('refuses no rule at all, a rule without its first date, and one without the date that is edited', async () => {
    const { ask, idOf, id } = await made();
    const faults = async (of: string, payload: object) =>
      faultsOf(await ask(STAFF, 'PATCH', `${E}/${of}`, { payload }));
    expect(await faults(id, { recurrence_pattern: 'none', is_recurring: false })).toEqual([
      '/recurrence_pattern can’t be none in a series: give it an earlier end',
    ]);
    expect(await faults(id, { recurrence_end_date: '2026-10-01' })).toEqual([
      '/recurrence_end_date must not be before start_date',
    ]);
    expect(await faults(idOf(3), { recurrence_count: 2 })).toEqual([
      '/recurrence_count must keep the date that you edit: edit an earlier date',
    ]);
  });
});
