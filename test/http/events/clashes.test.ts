import { describe, expect, it } from 'vitest';
import { type CalendarReading, readDueCalendars } from '../../../src/events/outside-calendar.ts';
import { SCOPE } from '../../support/builders.ts';
import { E, EVERYTHING, provideHttp, STAFF, type Who } from '../../support/http/http-app.ts';

const { ask, given, deps, now } = await provideHttp();

/** From one time to another in UTC. */
const on = (date: string, start_time: string, end_time: string) => ({
  ...{ start_date: date, end_date: date, start_time, end_time },
  starts_at: new Date(`${date}T${start_time}Z`),
  ends_at: new Date(`${date}T${end_time}Z`),
});
const evening = on('2026-10-16', '18:00', '20:00');
const inHall = { location_name: 'School', location: { room: 'Hall' } };

describe('clashes of an event', () => {
  it('are other events in its room at its time, with free times', async () => {
    const other = await given({ title: 'Choir', organizer_id: 'choirmaster', ...evening, ...inHall });
    await given({ title: 'Too early', organizer_id: 'x', ...on('2026-10-16', '16:00', '18:00'), ...inHall });
    await given({ title: 'Elsewhere', organizer_id: 'x', ...evening });
    const { id } = await given({ status: 'draft', ...on('2026-10-16', '19:00', '19:30'), ...inHall });
    const { status, body } = await ask(STAFF, 'GET', `${E}/${id}/clashes`);
    expect(status).toBe(200);
    expect(body.checked).toBe(1);
    expect(body.clashes).toEqual([
      {
        of: { id, start_date: '2026-10-16' },
        event_id: other.id,
        calendar: null,
        title: 'Choir',
        all_day: false,
        start_date: '2026-10-16',
        end_date: '2026-10-16',
        start_time: '18:00',
        end_time: '20:00',
        timezone: 'UTC',
        shared: ['place'],
      },
    ]);
    expect(body.free_times.map((one: { start_time: string }) => one.start_time)).toEqual(['15:30', '15:00', '19:00']);
  });

  it('name the holidays of the school', async () => {
    const school = await deps.schools.find(SCOPE);
    const term_calendar = [{ name: 'Autumn break', start_date: '2026-10-15', end_date: '2026-10-18' }];
    await deps.schools.put({ ...school, term_calendar });
    const { id } = await given({ status: 'draft', ...evening });
    const { body } = await ask(STAFF, 'GET', `${E}/${id}/clashes`);
    expect(body.clashes).toMatchObject([{ event_id: null, title: 'Autumn break', shared: ['holiday'], all_day: true }]);
  });

  it('hide the title of an event that the caller may not see', async () => {
    await given({
      title: 'Secret',
      visibility: 'restricted',
      restricted_to: { user_ids: ['boss'] },
      organizer_id: 'boss',
      ...evening,
      ...inHall,
    });
    const { id } = await given({ status: 'draft', organizer_id: 'teacher', ...evening, ...inHall });
    const teacher: Who = { user_id: 'teacher', roles: ['staff'], permissions: ['events.view', 'events.create'] };
    const { body } = await ask(teacher, 'GET', `${E}/${id}/clashes`);
    expect(body.clashes).toMatchObject([{ event_id: null, title: null, shared: ['place'] }]);
  });

  it('are part of a dry run, for each date of a series', async () => {
    const other = await given({ title: 'Fair', class_id: '5.A', ...on('2026-10-23', '18:00', '20:00') });
    const made = await ask(STAFF, 'POST', E, {
      payload: {
        title: 'Reading club',
        event_type: 'workshop',
        ...{
          start_date: '2026-10-16',
          end_date: '2026-10-16',
          start_time: '18:30',
          end_time: '19:00',
          timezone: 'UTC',
        },
        ...{ is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 },
        class_id: '5.A',
      },
    });
    const { body } = await ask(STAFF, 'POST', `${E}/${made.body.id}/publish?dry_run=true&scope=all`);
    expect(body.clashes).toMatchObject({
      checked: 3,
      clashes: [{ of: { start_date: '2026-10-23' }, event_id: other.id, shared: ['class'] }],
      free_times: [],
    });
    const moved = await ask(STAFF, 'PATCH', `${E}/${made.body.id}?dry_run=true`, { payload: { class_id: null } });
    expect(moved.body.clashes).toEqual({ checked: 1, clashes: [], free_times: [] });
    const gone = await ask(STAFF, 'DELETE', `${E}/${made.body.id}?dry_run=true`);
    expect(gone.body.clashes).toEqual({ checked: 0, clashes: [], free_times: [] });
  });

  it('are entries of the school’s outside calendars, which one process reads every hour', async () => {
    const added = await ask(EVERYTHING, 'POST', '/api/v1/operations/outside-calendars', {
      payload: { name: 'Town hall', url: 'webcal://town.example/fair.ics' },
    });
    expect(added).toMatchObject({ status: 201, body: { url: 'https://town.example/fair.ics', read_at: null } });
    const again = await ask(EVERYTHING, 'POST', '/api/v1/operations/outside-calendars', {
      payload: { name: 'Town hall', url: 'https://Town.example/fair.ics#today' },
    });
    expect(again).toMatchObject({ status: 422, body: { errors: [{ pointer: '/url', rule: 'added_already' }] } });
    const { signal } = new AbortController();
    const times = { all_day: false, ...on('2026-10-16', '19:00', '21:00') };
    const read = (reading: CalendarReading) => readDueCalendars(deps, async () => reading, signal);
    const problem = 'entries_left_out';
    expect(await read({ entries: [{ title: 'Fair', ...times }], problem })).toEqual([{ id: added.body.id, problem }]);
    expect(await read({ entries: [], problem: null })).toEqual([]);
    const { id } = await given({ status: 'draft', ...evening });
    const clashes = async () => (await ask(STAFF, 'GET', `${E}/${id}/clashes`)).body;
    const expected = {
      clashes: [{ event_id: null, calendar: 'Town hall', title: 'Fair', start_time: '19:00', shared: ['calendar'] }],
      free_times: [{ start_time: '17:00' }, { start_time: '16:30' }, { start_date: '2026-10-19', start_time: '18:00' }],
    };
    expect(await clashes()).toMatchObject(expected);
    // A calendar that can't be read keeps its entries.
    now.at = new Date(now.at.getTime() + 3_600_000);
    expect(await read({ problem: 'unreachable' })).toEqual([{ id: added.body.id, problem: 'unreachable' }]);
    expect(await clashes()).toMatchObject(expected);
    const { body } = await ask(EVERYTHING, 'GET', '/api/v1/operations/outside-calendars');
    expect(body.data).toMatchObject([
      { name: 'Town hall', problem: 'unreachable', read_at: '2026-09-01T08:00:00.000Z' },
    ]);
    await ask(EVERYTHING, 'DELETE', `/api/v1/operations/outside-calendars/${added.body.id}`);
    expect((await clashes()).clashes).toEqual([]);
  });

  it.each([
    ['http://town.example/x.ics', 'uri'],
    ['file:///etc/passwd', 'uri'],
    ['https://me:secret@town.example/x.ics', 'uri'],
    ['town', 'uri'],
    ['webcal://192.168.1.4/x.ics', 'private_address'],
  ])('need an https address on the internet, not %s (%s)', async (url, rule) => {
    const payload = { name: 'Town', url };
    const { status, body } = await ask(EVERYTHING, 'POST', '/api/v1/operations/outside-calendars', { payload });
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: '/url', rule }]);
  });
});
