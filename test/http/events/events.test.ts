import { describe, expect, it } from 'vitest';
import { E, faultsOf, PARENT, provideHttp, STAFF } from '../../support/http/http-app.ts';

const { ask, given, now, tables } = await provideHttp();

const NEW = { title: 'Concert', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };
describe('creating an event', () => {
  it('answers 201 with the whole draft, its address and its ETag', async () => {
    const answer = await ask(STAFF, 'POST', E, {
      payload: {
        ...NEW,
        timezone: 'europe/prague',
        registration_deadline: '2026-10-14T18:00:00+02:00',
        max_attendees: 30,
        location: { name: 'Great hall', coordinates: { latitude: 50.08, longitude: 14.43 } },
        reminders: [{ type: 'email', offset: 1440 }],
        restricted_to: { roles: ['parent'] },
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({
      location: `${E}/${answer.body.id}`,
      etag: '"v1"',
      'cache-control': 'no-store',
    });
    expect(answer.body).toMatchObject({
      title: 'Concert',
      status: 'draft',
      visibility: 'internal',
      tenant_id: 't1',
      school_id: 's1',
      organizer_id: 'staff',
      start_time: '09:00',
      end_time: '12:00',
      timezone: 'Europe/Prague',
      starts_at: '2026-10-16T07:00:00.000Z',
      ends_at: '2026-10-16T10:00:00.000Z',
      registration_deadline: '2026-10-14T16:00:00.000Z',
      published_at: null,
      available_spots: 30,
      waitlist_count: 0,
      sequence: 0,
      share_url: null,
      location: { name: 'Great hall', coordinates: { latitude: 50.08, longitude: 14.43 } },
      reminders: [{ type: 'email', offset: 1440 }],
      restricted_to: { roles: ['parent'] },
      allowed_actions: ['edit', 'publish', 'cancel', 'schedule', 'duplicate', 'delete'],
    });
    for (const inner of [
      'version',
      'deleted_at',
      'last_waitlist_number',
      'schedule_version',
      'waitlisted',
      'confirmed',
      'checked_in',
    ]) {
      expect(answer.body).not.toHaveProperty(inner);
    }
    expect(await tables.events()).toHaveLength(1);
  });

  it('accepts values at the limits', async () => {
    const payload = {
      ...NEW,
      title: '😀'.repeat(200),
      description: 'x\n'.repeat(2500),
      tags: Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(50, 'x')),
      attachments: Array.from({ length: 20 }, () => ({ name: 'Plan', url: 'https://x.test/plan.pdf' })),
      reminders: Array.from({ length: 10 }, (_, i) => ({ type: 'email', offset: i + 5 })),
      description_of: undefined,
    };
    expect((await ask(STAFF, 'POST', E, { payload })).status).toBe(201);
  });

  it.each<[string, object, string[]]>([
    [
      'nothing',
      {},
      ['/end_date is required', '/event_type is required', '/start_date is required', '/title is required'],
    ],
    ['a title of 201', { ...NEW, title: 'x'.repeat(201) }, ['/title must not have more than 200 characters']],
    ['a blank title', { ...NEW, title: ' ' }, ['/title must not be empty or contain control characters']],
    [
      'a header in a title',
      { ...NEW, title: 'x\r\nBcc: y' },
      ['/title must not be empty or contain control characters'],
    ],
    [
      'a long description',
      { ...NEW, description: 'x'.repeat(5001) },
      ['/description must not have more than 5000 characters'],
    ],
    ['an operator', { ...NEW, title: { $ne: 1 } }, ['/title must be text']],
    ['a number as text', { ...NEW, max_attendees: '30' }, ['/max_attendees must be a whole number or null']],
    ['a boolean as text', { ...NEW, all_day: 'true' }, ['/all_day must be true or false']],
    ['a status', { ...NEW, status: 'published' }, ['/status can’t be changed: the service sets this field']],
    ['a tenant', { ...NEW, tenant_id: 't2' }, ['/tenant_id can’t be changed: the service sets this field']],
    ['a nested stranger', { ...NEW, location: { floor: 2 } }, ['/location/floor is not a known field']],
    [
      'an unknown level',
      { ...NEW, visibility: 'secret' },
      ['/visibility must be one of public, internal, staff_only, students_only, parents_only, restricted'],
    ],
    [
      'no such day',
      { ...NEW, end_date: '2026-02-29' },
      ['/end_date must be an existing date from 1970 to 2100, written YYYY-MM-DD'],
    ],
    [
      'no such zone',
      { ...NEW, timezone: 'Europe/Atlantis' },
      ['/timezone must be an IANA time zone, such as Europe/Prague'],
    ],
    [
      'a script as link',
      { ...NEW, registration_url: 'javascript:alert(1)' },
      ['/registration_url must be a web address that starts with http:// or https://'],
    ],
    [
      'a deadline without offset',
      { ...NEW, registration_deadline: '2026-10-14T18:00:00' },
      [
        '/registration_deadline must be a date and time with offset from 1970 to 2100, such as 2026-09-14T07:30:00+02:00',
      ],
    ],
    [
      'a reminder twice',
      {
        ...NEW,
        reminders: [
          { type: 'sms', offset: 15 },
          { type: 'sms', offset: 15 },
        ],
      },
      ['/reminders must not have duplicate items'],
    ],
    [
      'two faults in one list',
      { ...NEW, tags: ['ok', 'x'.repeat(51), ''] },
      ['/tags/1 must not have more than 50 characters', '/tags/2 must not be empty or contain control characters'],
    ],
  ])('%s is refused', async (_name, payload, faults) => {
    const answer = await ask(STAFF, 'POST', E, { payload });
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(faultsOf(answer).sort()).toEqual([...faults].sort());
    expect(await tables.events()).toHaveLength(0);
  });

  it('reports at most a hundred unknown fields', async () => {
    const strangers = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`stranger${i}`, 1]));
    const answer = await ask(STAFF, 'POST', E, { payload: { ...NEW, ...strangers } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.length).toBeLessThanOrEqual(100);
  });
});

describe('reading an event', () => {
  it('hides actions and restricted_to from a parent', async () => {
    const { id } = await given({ visibility: 'restricted', restricted_to: { user_ids: ['eva', 'other'] } });
    const answer = await ask(PARENT, 'GET', `${E}/${id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        restricted_to: null,
        allowed_actions: ['share', 'register'],
        share_url: `https://school.test/events/${id}`,
      },
    });
    const { body } = await ask(STAFF, 'GET', `${E}/${id}`);
    expect(body.restricted_to).toEqual({ user_ids: ['eva', 'other'] });
  });

  it('is kept by no cache, because it differs by reader and by time', async () => {
    const { id } = await given({});
    const answer = await ask(STAFF, 'GET', `${E}/${id}`);
    expect(answer.headers).toMatchObject({ etag: '"v1"', 'cache-control': 'no-store' });
  });

  it('answers 304 only to the current ETag', async () => {
    const { id } = await given({ version: 7 });
    const read = (tag: string) => ask(PARENT, 'GET', `${E}/${id}`, { headers: { 'if-none-match': tag } });
    expect(await read('"v7"')).toMatchObject({ status: 304, text: '', headers: { etag: '"v7"' } });
    expect((await read('"v1", W/"v7"')).status).toBe(304);
    expect((await read('*')).status).toBe(304);
    expect((await read('"v6"')).status).toBe(200);
  });
});

it('reading an event after its registration has closed answers with the actions that are left', async () => {
  const registration_deadline = new Date(now.at.getTime() + 1_000);
  const { id } = await given({ registration_type: 'optional', registration_deadline });
  const read = (tag: string) => ask(PARENT, 'GET', `${E}/${id}`, { headers: { 'if-none-match': tag } });
  const open = await read('"v0"');
  expect(open.body.allowed_actions).toContain('register');
  now.at = new Date(now.at.getTime() + 2_000);
  const closed = await read(open.headers.etag ?? '');
  expect(closed).toMatchObject({ status: 200, body: { allowed_actions: ['share'] } });
  expect((await read(closed.headers.etag ?? '')).status).toBe(304);
});

describe('If-Match', () => {
  it.each([
    ['"v3"', 200],
    ['"v3-closed"', 200],
    ['*', 200],
    ['"v2"', 412],
    ['W/"v3"', 412],
    ['"something"', 412],
    ['v3', 412],
    ['"v2", "v3"', 422],
  ])('%s on version 3 answers %i', async (tag, status) => {
    const { id } = await given({ version: 3 });
    const answer = await ask(STAFF, 'POST', `${E}/${id}/unpublish`, { headers: { 'if-match': tag } });
    expect(answer.status).toBe(status);
    if (status === 412) expect(answer.body.code).toBe('stale');
    expect(await tables.facts()).toHaveLength(status === 200 ? 1 : 0);
  });
});
