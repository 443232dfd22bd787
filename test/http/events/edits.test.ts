import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { E, PARENT, STAFF, serve, type Told } from '../../support/http/http-app.ts';

const faultsOf = ({ body }: Told) =>
  body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);

const DELETER = { ...STAFF, permissions: [...(STAFF.permissions ?? []), 'events.delete'] };
const ANY_DELETER = { ...STAFF, permissions: [...(DELETER.permissions ?? []), 'events.delete.any'] };

describe('editing', () => {
  it('merges objects, clears with null, and takes a merge patch by its own media type', async () => {
    const { ask, given, tables } = await serve();
    const { id } = await given({
      description: 'Old',
      tags: ['a'],
      location: { name: 'Hall', room: '1', coordinates: { latitude: 50, longitude: 14 } },
    });
    const answer = await ask(STAFF, 'PATCH', `${E}/${id}`, {
      payload: JSON.stringify({
        title: ' New ',
        description: null,
        tags: null,
        location: { coordinates: { latitude: 51 }, name: null, building: 'B' },
      }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"v2"' } });
    expect(answer.body).toMatchObject({ title: 'New', description: null, tags: [] });
    expect(answer.body.location).toEqual({ room: '1', building: 'B', coordinates: { latitude: 51, longitude: 14 } });
    expect(await tables.facts()).toMatchObject([
      { type: 'event.changed', data: { fields: ['title', 'description', 'tags', 'location'] } },
    ]);
    expect((await tables.events())[0]?.starts_at.toISOString()).toBe('2026-10-16T09:00:00.000Z');
  });

  it('accepts the merge patch media type only for edits', async () => {
    const { ask, given } = await serve();
    const more = { payload: '{"reason":"x"}', headers: { 'content-type': 'application/merge-patch+json' } };
    expect((await ask(STAFF, 'POST', `${E}/${(await given()).id}/cancel`, more)).status).toBe(415);
  });

  it.each<[string, object, string[]]>([
    [
      'what the program keeps',
      { status: 'draft', current_attendees: 0, id: 'x', created_at: 'x', publish_at: null, version: 1 },
      ['/status', '/current_attendees', '/id', '/created_at', '/publish_at', '/version'].map(
        (p) => `${p} can’t be changed: the service sets this field`,
      ),
    ],
    ['an unknown field', { colour: 'red' }, ['/colour is not a known field']],
    ['no title', { title: null }, ['/title must be string']],
    ['an end before the start', { end_date: '2026-10-15' }, ['/end_date must not be before start_date']],
    ['a time before the start', { end_time: '08:00' }, ['/end_time must be after the start']],
    [
      'ticketed without what that needs',
      { registration_type: 'ticketed' },
      [
        '/max_attendees is required when registration_type is ticketed',
        '/registration_deadline is required when registration_type is ticketed',
        '/cost must be above 0 when registration_type is ticketed',
        '/currency is required when registration_type is ticketed',
      ],
    ],
    ['an organizer of no type', { organizer: { name: 'PTA' } }, ['/organizer/type is required']],
    [
      'half a place on the map',
      { location: { coordinates: { latitude: 5 } } },
      ['/location/coordinates/longitude is required'],
    ],
    ['a control character', { description: 'a\u0000b' }, ['/description must not contain control characters']],
  ])('refuses %s', async (_name, payload, faults) => {
    const { ask, given, tables } = await serve();
    const answer = await ask(STAFF, 'PATCH', `${E}/${(await given()).id}`, { payload });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer).sort()).toEqual(faults.sort());
    expect(await tables.facts()).toEqual([]);
  });

  it('refuses a capacity below the seats taken and accepts exactly that number', async () => {
    const { ask, given } = await serve();
    const { id } = await given({ max_attendees: 30, current_attendees: 20 });
    const edit = (max_attendees: number) => ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { max_attendees } });
    expect(await edit(19)).toMatchObject({
      status: 409,
      body: { code: 'capacity_below_occupied', current_attendees: 20 },
    });
    expect(await edit(20)).toMatchObject({ status: 200, body: { available_spots: 0 } });
  });

  it('changes nothing if nothing differs, and refuses a stale version', async () => {
    const { ask, given, tables } = await serve();
    const { id } = await given();
    const same = await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { title: 'Concert' } });
    expect(same).toMatchObject({ status: 200, headers: { etag: '"v1"' } });
    expect(await tables.facts()).toEqual([]);
    const stale = { payload: { title: 'X' }, headers: { 'if-match': '"v7"' } };
    expect(await ask(STAFF, 'PATCH', `${E}/${id}`, stale)).toMatchObject({ status: 412, body: { code: 'stale' } });
  });

  it('plans the reminders anew when the time changes', async () => {
    const { ask, given } = await serve();
    const { id } = await given({ status: 'draft', reminders: [{ type: 'email', offset: 60 }] });
    await ask(STAFF, 'POST', `${E}/${id}/publish`);
    await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { start_time: '10:00' } });
    const { body } = await ask(STAFF, 'GET', `${E}/${id}/reminders`);
    expect(body.data).toMatchObject([{ due_at: '2026-10-16T09:00:00.000Z', status: 'planned' }]);
  });

  it('gives a repeated key the first reply', async () => {
    const { ask, given, tables } = await serve();
    const more = { payload: { title: 'Once' }, headers: { 'idempotency-key': 'k1' } };
    const { id } = await given();
    const first = await ask(STAFF, 'PATCH', `${E}/${id}`, more);
    const again = await ask(STAFF, 'PATCH', `${E}/${id}`, more);
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { 'idempotency-replayed': 'true' } });
    const trial = { payload: { title: 'Twice' }, headers: { 'idempotency-key': 'k2' } };
    const foreseen = await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, trial);
    expect(await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, trial)).toMatchObject({ text: foreseen.text });
    expect(foreseen.body).toMatchObject({ dry_run: true, event: { title: 'Twice' } });
    expect(await tables.facts()).toHaveLength(1);
  });
});

describe('scheduling', () => {
  it('stores publish_at, and a read publishes an overdue event', async () => {
    const { ask, given, tables, now } = await serve();
    const { id } = await given({ status: 'draft' });
    const asked = { payload: { publish_at: '2026-09-01T12:00:00+02:00' } };
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/schedule`, asked);
    expect(body).toMatchObject({ status: 'scheduled', publish_at: '2026-09-01T10:00:00.000Z' });
    expect((await ask(PARENT, 'GET', `${E}/${id}`)).body.status).toBe('scheduled');
    const begin = now.at;
    now.at = new Date('2026-09-01T10:00:00Z');
    expect((await ask(PARENT, 'GET', `${E}/${id}`)).body).toMatchObject({
      status: 'published',
      published_at: '2026-09-01T10:00:00.000Z',
      publish_at: null,
    });
    now.at = begin;
    expect((await tables.facts()).map(({ type, actor }) => [type, actor])).toEqual([
      ['event.scheduled', { user_id: 'staff' }],
      ['event.published', 'system'],
    ]);
  });

  it('publishes at once if publish_at is in the past', async () => {
    const { ask, given } = await serve();
    const { id } = await given({ status: 'draft' });
    await ask(STAFF, 'POST', `${E}/${id}/schedule`, { payload: { publish_at: '2020-01-01T00:00:00Z' } });
    const outside = { roles: ['external' as const], permissions: ['events.view'] };
    expect(await ask(outside, 'GET', `${E}/${id}`)).toMatchObject({ status: 200, body: { status: 'published' } });
  });

  it('requires the fields of the registration type', async () => {
    const { ask, given } = await serve();
    const answer = await ask(
      STAFF,
      'POST',
      `${E}/${(await given({ status: 'draft', registration_type: 'required' })).id}/schedule`,
    );
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      '/max_attendees',
      '/registration_deadline',
    ]);
  });
});

describe('returning from a postponement', () => {
  it.each([
    ['the date lies ahead', { postponed_to: new Date('2026-10-16T09:00:00Z') }, undefined, 'scheduled'],
    ['the date is not known', { postponed_to: null }, undefined, 'draft'],
    ['the date is past', { starts_at: new Date(0), postponed_to: new Date(0) }, undefined, 'draft'],
    ['draft is asked for', { postponed_to: new Date('2026-10-16T09:00:00Z') }, 'draft', 'draft'],
    ['scheduled is asked for', { postponed_to: null }, 'scheduled', 'scheduled'],
  ])('where %s', async (_name, event, to, status) => {
    const { ask, given } = await serve();
    const { id } = await given({ status: 'postponed', ...event });
    const answer = await ask(STAFF, 'POST', `${E}/${id}/return`, to ? { payload: { to } } : {});
    expect(answer).toMatchObject({ status: 200, body: { status } });
  });
});

describe('duplicating', () => {
  it('copies the fields of the event but not its history', async () => {
    const { ask, given } = await serve();
    const event = await given({
      status: 'cancelled',
      title: 'x'.repeat(200),
      is_featured: true,
      max_attendees: 30,
      current_attendees: 12,
      registration_deadline: new Date('2026-10-14T10:00:00Z'),
      reminders: [{ type: 'sms', offset: 60 }],
      tags: ['music'],
      published_at: new Date(0),
      cancelled_at: new Date(0),
      cancellation_reason: 'storm',
    });
    const answer = await ask(STAFF, 'POST', `${E}/${event.id}/duplicate`, { payload: { start_date: '2026-10-26' } });
    expect(answer).toMatchObject({ status: 201, headers: { location: `${E}/${answer.body.id}`, etag: '"v1"' } });
    expect(answer.body).toMatchObject({
      title: `Copy of ${'x'.repeat(192)}`,
      status: 'draft',
      duplicated_from_id: event.id,
      start_date: '2026-10-26',
      end_date: '2026-10-26',
      registration_deadline: '2026-10-24T10:00:00.000Z',
      is_featured: false,
      max_attendees: 30,
      current_attendees: 0,
      reminders: [{ type: 'sms', offset: 60 }],
      tags: ['music'],
      published_at: null,
      cancelled_at: null,
      cancellation_reason: null,
      created_by: 'staff',
      organizer_id: 'organizer',
    });
    expect(answer.body.id).not.toBe(event.id);
  });
});

describe('deleting', () => {
  it.each([
    ['a draft with events.delete', DELETER, { status: 'draft' }, 204],
    ['a published one with events.delete', DELETER, {}, 403],
    ['a published one with events.delete.any too', ANY_DELETER, {}, 204],
    ['one with a seat held', ANY_DELETER, { current_attendees: 1 }, 409],
    ['one where people only wait', ANY_DELETER, { waitlisted: 1 }, 204],
    ['a draft without the permission', STAFF, { status: 'draft' }, 403],
  ] as const)('%s', async (_name, who, event, status) => {
    const { ask, given, tables } = await serve();
    const { id } = await given(event);
    const answer = await ask(who, 'DELETE', `${E}/${id}`);
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body).toMatchObject({ code: 'invalid_transition', current_status: 'published' });
    expect((await tables.facts()).map(({ type }) => type)).toEqual(status === 204 ? ['event.deleted'] : []);
    for (const path of ['', '/timeline', '/reminders', '/deliveries', '/registrations'])
      expect((await ask(ANY_DELETER, 'GET', `${E}/${id}${path}`)).status).toBe(status === 204 ? 404 : 200);
  });
});

describe('a dry run', () => {
  const person = (user_id: string, more: Partial<Contact> = {}): Contact => ({
    tenant_id: 't1',
    school_id: 's1',
    user_id,
    name: user_id,
    email: `${user_id}@example.org`,
    phone: null,
    roles: ['student'],
    class_ids: [],
    grade_level_ids: [],
    department_ids: [],
    guardians: [],
    locale: 'en',
    timezone: null,
    updated_at: new Date(0),
    ...more,
  });

  it('counts recipients and skip reasons by channel like the fan-out', async () => {
    const { ask, given, tables, deps, stores } = await serve();
    await deps.contacts.putMany([
      person('anna'),
      person('twin', { email: 'ANNA@example.org' }),
      person('nobody', { email: null }),
      person('unwilling'),
      person('barred', { email: 'barred@example.org' }),
      person('teacher', { roles: ['staff'] }),
    ]);
    await deps.preferences.addOptOut({ tenant_id: 't1', school_id: 's1' }, 'unwilling', 'event.published:email');
    await stores.suppressions.add({ tenant_id: 't1', school_id: 's1' }, 'email', 'barred@example.org', {
      kind: 'complained',
      why: 'complaint',
    });
    const { id } = await given({ status: 'draft', target_audience: ['students'] });
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/publish?dry_run=true`);
    expect(body.audience).toEqual({
      email: { told: 1, skipped: { same_address: 1, no_contact: 1, opted_out: 1, suppressed: 1 } },
      push: { told: 0, skipped: { no_contact: 5 } },
      in_app: { told: 5, skipped: {} },
    });
    expect(body).toMatchObject({ status: 'published', event: { id, status: 'published' }, changed_events: 1 });
    // By mail anna, and her twin at the same address; in the app all but the teacher.
    expect(body).toMatchObject({ people: 5, sms_segments: 0, estimated_seconds: 1 });
    expect(await tables.deliveries()).toEqual([]);
  });

  it('counts the people who would be promoted', async () => {
    const { ask, given } = await serve();
    const event = { max_attendees: 10, current_attendees: 10, waitlisted: 4, waitlist_enabled: true };
    const { id } = await given(event);
    const raised = await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, { payload: { max_attendees: 13 } });
    expect(raised.body).toMatchObject({ promotions: 3, audience: {} });
  });

  it('notifies only registered people of a cancellation', async () => {
    const { ask, given } = await serve();
    const { id } = await given();
    await ask(PARENT, 'POST', `${E}/${id}/registrations`, {
      payload: { kind: 'attendee', contact: { email: 'eva@example.org' } },
    });
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/cancel?dry_run=true`, { payload: { reason: 'storm' } });
    expect(body.audience).toEqual({
      email: { told: 1, skipped: {} },
      sms: { told: 0, skipped: { channel_off: 1 } },
      push: { told: 0, skipped: { no_contact: 1 } },
      in_app: { told: 1, skipped: {} },
    });
    const silent = await ask(STAFF, 'POST', `${E}/${id}/cancel?dry_run=true`, {
      payload: { reason: 'x', notify: false },
    });
    expect(silent.body.audience.email).toEqual({ told: 0, skipped: { notifications_off: 1 } });
  });

  it.each([
    ['something else', '?dry_run=yes'],
    ['an unknown parameter', '?dryrun=true'],
    ['a scope where there is none', '?scope=everything'],
  ])('is not %s', async (_name, query) => {
    const { ask, given } = await serve();
    expect((await ask(STAFF, 'POST', `${E}/${(await given({ status: 'draft' })).id}/publish${query}`)).status).toBe(
      422,
    );
  });
});

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
