import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_STATUSES, type SchoolEvent } from '../../../src/events/event.ts';
import { type Answer, E, PARENT, pointersOf, STAFF, serve, valuesOf } from '../../support/http/http-app.ts';

const { ask, given, clean } = await serve();

const titles = (answer: Answer) => valuesOf(answer, 'title');
const on = (date: string) => ({
  start_date: date,
  end_date: date,
  starts_at: new Date(`${date}T09:00:00Z`),
  ends_at: new Date(`${date}T10:00:00Z`),
});

describe('the filters of the list of events', () => {
  beforeAll(async () => {
    for (const event_type of ['exam', 'sports'] as const) await given({ title: event_type, event_type });
    await given({ title: 'done', status: 'completed' });
    await given({ title: 'inside', visibility: 'internal' });
    await given({ title: 'late', ...on('2026-12-01') });
    await given({ title: 'early', ...on('2026-09-20') });
    await given({
      title: 'now',
      ...on('2026-10-02'),
      starts_at: new Date('2026-08-31T23:00:00Z'),
      ends_at: new Date('2026-09-01T00:01:00Z'),
    });
    await given({
      title: 'sunday',
      ...on('2026-10-02'),
      starts_at: new Date('2026-09-06T23:59:00Z'),
      ends_at: new Date('2026-09-08T00:00:00Z'),
    });
    await given({ title: 'mine', organizer_id: 'eva' });
    for (const id of ['d1', 'd2']) await given({ title: id, department_id: id });
    await given({ title: '5a', class_id: '5a' });
    await given({ title: 'star', is_featured: true });
    await given({ title: 'weekly', is_recurring: true });
    await given({ title: 'tagged', tags: ['a,b'] });
    await given({ title: 'Žluťoučký kůň', tags: ['Music'] });
    await given({ title: 'art', categories: ['art'] });
  });

  it.each([
    ['event_type=exam&event_type=sports', ['exam', 'sports']],
    ['event_type=exam', ['exam']],
    ['status=completed', ['done']],
    ['visibility=internal', ['inside']],
    ['start_date_from=2026-12-01', ['late']],
    ['start_date_to=2026-09-30', ['early']],
    ['start_date_from=2026-12-01&start_date_to=2026-12-01', ['late']],
    ['organizer_id=eva', ['mine']],
    ['department_id=d1&department_id=d2', ['d1', 'd2']],
    ['class_id=5a', ['5a']],
    ['is_featured=true', ['star']],
    ['is_recurring=true', ['weekly']],
    ['tags=Music&tags=a,b', ['tagged', 'Žluťoučký kůň']],
    ['categories=art', ['art']],
    ['q=zlut', ['Žluťoučký kůň']],
    ['q=KŮN%20music', ['Žluťoučký kůň']],
    ['q=music%20none', []],
    ['quick=my_events', ['mine']],
    ['quick=featured', ['star']],
    ['quick=today', ['now']],
    ['quick=this_week', ['now', 'sunday']],
    ['quick=today&event_type=exam', []],
    ['quick=today&quick=this_week', ['now']],
  ])('?%s finds %j', async (query, expected) => {
    expect(titles(await ask(PARENT, 'GET', `${E}?${query}`)).sort()).toEqual([...expected].sort());
  });
});

describe('the list of events', () => {
  beforeEach(clean);

  it('is sorted by start in both directions, in pages whose cursor is bound to the query', async () => {
    for (const [title, date] of [
      ['c', '2026-10-03'],
      ['a', '2026-10-01'],
      ['b', '2026-10-02'],
    ] as const)
      await given({ title, ...on(date) });
    expect(titles(await ask(PARENT, 'GET', E))).toEqual(['a', 'b', 'c']);
    const first = await ask(PARENT, 'GET', `${E}?sort=-start_date&limit=2`);
    expect(first.body).toMatchObject({
      has_more: true,
      data: [{ title: 'c' }, { title: 'b', allowed_actions: ['share', 'register'] }],
    });
    const cursor = `cursor=${first.body.next_cursor}`;
    const second = await ask(PARENT, 'GET', `${E}?sort=-start_date&limit=2&${cursor}`);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null, data: [{ title: 'a' }] });
    for (const other of [`${E}?${cursor}`, `${E}?sort=-start_date&q=a&${cursor}`, `${E}?cursor=nonsense`])
      expect(await ask(PARENT, 'GET', other)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/query/cursor' }] },
      });
  });

  it('answers a summary, or the fields that the query names', async () => {
    const description = 'Bring boots.';
    const location = { name: 'Gym', virtualLink: 'https://meet.example/1' };
    await given({ title: 'hike', description, location, registration_type: 'required' });
    const firstOf = async (query: string, who = PARENT) => (await ask(who, 'GET', `${E}${query}`)).body.data[0];
    const summary = await firstOf('');
    expect(summary).toMatchObject({
      title: 'hike',
      status: 'published',
      location: { name: 'Gym' },
      available_spots: null,
      allowed_actions: ['share', 'register'],
    });
    expect(Object.keys(summary)).toEqual(expect.arrayContaining(['starts_at', 'ends_at', 'share_url', 'tags']));
    for (const name of ['description', 'restricted_to', 'attachments', 'refused_actions'])
      expect(summary).not.toHaveProperty(name);
    const { id } = summary;
    expect(await firstOf('?fields=location', STAFF)).toEqual({ id, location });
    expect(await firstOf('?fields=summary&fields=description')).toEqual({ ...summary, description });
    const all = await firstOf('?fields=all');
    expect(all).toEqual((await ask(PARENT, 'GET', `${E}/${id}`)).body);
    expect(all.refused_actions.edit).toContain('events.update');
    for (const name of Object.keys(all)) expect(await firstOf(`?fields=${name}`)).toEqual({ id, [name]: all[name] });
  });

  it('answers the defaults of fields that an event of an earlier version lacks', async () => {
    const fields = { slots: undefined, registration_questions: undefined, asks_acknowledgement: undefined };
    await given(fields as Partial<SchoolEvent>);
    const { body } = await ask(
      PARENT,
      'GET',
      `${E}?${Object.keys(fields)
        .map((name) => `fields=${name}`)
        .join('&')}`,
    );
    expect(body.data[0]).toMatchObject({ slots: null, registration_questions: [], asks_acknowledgement: false });
  });

  it('finds upcoming events: scheduled, published or postponed, with a start ahead', async () => {
    for (const status of EVENT_STATUSES) await given({ title: status, status });
    await given({ title: 'past', ...on('2026-08-01') });
    expect(titles(await ask(STAFF, 'GET', `${E}?quick=upcoming`)).sort()).toEqual([
      'postponed',
      'published',
      'scheduled',
    ]);
  });

  it.each([
    ['event_type=party', '/query/event_type/0'],
    ['is_featured=yes', '/query/is_featured'],
    ['start_date_from=2026-02-30', '/query/start_date_from'],
    ['start_date_from=2026-02-03&start_date_to=2026-02-02', '/query/start_date_to'],
    ['sort=title', '/query/sort'],
    ['fields=secret', '/query/fields/0'],
    ['status=draft&status=lost', '/query/status/1'],
    ['limit=101', '/query/limit'],
    ['q=', '/query/q'],
    ['q=%E2%80%A6', '/query/q'],
    ['q=a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k', '/query/q'],
    ['tags[$ne]=x', '/query/tags[$ne]'],
    ['colour=red', '/query/colour'],
  ])('refuses ?%s', async (query, pointer) => {
    const answer = await ask(PARENT, 'GET', `${E}?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(pointersOf(answer)).toEqual([pointer]);
  });

  it('names the allowed values if one of several is wrong', async () => {
    const { body } = await ask(PARENT, 'GET', `${E}?status=draft&status=lost`);
    expect(body.errors).toMatchObject([{ rule: 'enum', message: expect.stringContaining('must be one of draft,') }]);
  });

  it.each(['status=draft,published', 'fields=title,status', 'organizer_id=eva,adam'])(
    'refuses the comma list ?%s, and says how to send several values',
    async (query) => {
      const { body } = await ask(PARENT, 'GET', `${E}?${query}`);
      const name = query.split('=')[0];
      expect(body.errors).toEqual([
        {
          pointer: `/query/${name}/0`,
          rule: 'comma',
          message: expect.stringContaining(`repeat the parameter: ${name}=…&${name}=…`),
        },
      ]);
    },
  );
});

describe('the calendar', () => {
  beforeEach(clean);

  it('shows short entries of everything on its days, and no drafts', async () => {
    await given({
      title: 'A very long title that does not fit into a cell of the calendar',
      event_type: 'exam',
      is_featured: true,
    });
    await given({
      title: 'camp',
      ...on('2026-09-28'),
      end_date: '2026-10-02',
      ends_at: new Date('2026-10-02T10:00:00Z'),
      is_recurring: true,
    });
    await given({ title: 'draft', status: 'draft' });
    await given({ title: 'outside', ...on('2026-11-20') });
    const { body } = await ask(STAFF, 'GET', `${E}/calendar?view=month&date=2026-10-10`);
    expect(body).toMatchObject({
      view: 'month',
      from: '2026-09-28',
      to: '2026-11-01',
      timezone: 'UTC',
      truncated: false,
    });
    expect(body.entries).toEqual([
      expect.objectContaining({ title: 'camp', recurring: true, featured: false, end_date: '2026-10-02' }),
      expect.objectContaining({
        title: 'A very long title that does not fit int…',
        icon: 'FileCheck',
        color: 'Red',
        start_time: '09:00',
        status: 'published',
        all_day: false,
        recurring: false,
        featured: true,
      }),
    ]);
    const today = await ask(STAFF, 'GET', `${E}/calendar?view=day`);
    expect(today.body).toMatchObject({ from: '2026-09-01', to: '2026-09-01', entries: [] });
    const agenda = await ask(STAFF, 'GET', `${E}/calendar?view=agenda&date=2026-10-01&days=400&event_type=exam`);
    expect(agenda.body).toMatchObject({ from: '2026-10-01', to: '2027-11-04', entries: [{ event_type: 'exam' }] });
    for (const query of ['view=year', 'date=2026-13-01', 'days=401', 'x=1'])
      expect((await ask(STAFF, 'GET', `${E}/calendar?${query}`)).status, query).toBe(422);
  });
});

it('statistics count the events of the period that the caller sees', async () => {
  await clean();
  await given({ event_type: 'exam', current_attendees: 5, ...on('2026-10-31') });
  await given({ visibility: 'staff_only', current_attendees: 50 });
  await given({ status: 'cancelled', current_attendees: 1 });
  const all = await ask(PARENT, 'GET', `${E}/statistics`);
  expect(all.body).toMatchObject({ total: 2, upcoming: 1, cancelled: 1, totalRegistrations: 5, averageAttendance: 5 });
  expect(all.body.byType).toMatchObject({ exam: 1, cultural: 1, holiday: 0 });
  const october = await ask(PARENT, 'GET', `${E}/statistics?from=2026-10-31&to=2026-10-31`);
  expect(october.body).toMatchObject({ total: 1, byStatus: { published: 1, cancelled: 0 } });
  expect((await ask(PARENT, 'GET', `${E}/statistics?from=2026-10-31&to=2026-10-30`)).status).toBe(422);
  const only = { permissions: ['events.statistics.view'] };
  expect((await ask({ ...PARENT, ...only }, 'GET', `${E}/statistics`)).status).toBe(200);
  expect((await ask({ ...PARENT, ...only }, 'GET', E)).status).toBe(403);
});
