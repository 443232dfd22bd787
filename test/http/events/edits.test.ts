import { describe, expect, it } from 'vitest';
import { E, faultsOf, PARENT, pointersOf, provideHttp, STAFF, staffWith } from '../../support/http/http-app.ts';

const { ask, given, tables, now } = await provideHttp();

const DELETER = staffWith('events.delete');
const ANY_DELETER = staffWith('events.delete', 'events.delete.any');

describe('editing', () => {
  it('merges objects, clears with null, and takes a merge patch by its own media type', async () => {
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
      { type: 'event.changed', data: { fields: ['title', 'description', 'location', 'tags'] } },
    ]);
    expect((await tables.events())[0]?.starts_at.toISOString()).toBe('2026-10-16T09:00:00.000Z');
  });

  it('merges the times of a meeting and the reminder to confirm, and requires what they need', async () => {
    const hosts = [{ user_id: 'jana', name: 'Jana' }];
    const { id } = await given({
      event_type: 'parent_teacher',
      slots: { length_minutes: 10, break_minutes: 5, hosts },
      asks_acknowledgement: true,
      acknowledgement_reminder: { after_hours: 24, channels: ['email'] },
    });
    const edit = (payload: object) => ask(STAFF, 'PATCH', `${E}/${id}`, { payload });
    const slots = { length_minutes: 15, break_minutes: null };
    const { body } = await edit({ slots, acknowledgement_reminder: { after_hours: 48 } });
    expect(body.slots).toEqual({ length_minutes: 15, hosts });
    expect(body.acknowledgement_reminder).toEqual({ after_hours: 48, channels: ['email'] });
    const cleared = await edit({ slots: { hosts: null }, acknowledgement_reminder: { channels: null } });
    expect(faultsOf(cleared)).toEqual(['/acknowledgement_reminder/channels is required', '/slots/hosts is required']);
  });

  it('accepts the merge patch media type only for edits', async () => {
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
    ['no title', { title: null }, ['/title must be text']],
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
    const answer = await ask(STAFF, 'PATCH', `${E}/${(await given()).id}`, { payload });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer).sort()).toEqual(faults.sort());
    expect(await tables.facts()).toEqual([]);
  });

  it('refuses a capacity below the seats taken and accepts exactly that number', async () => {
    const { id } = await given({ max_attendees: 30, current_attendees: 20 });
    const edit = (max_attendees: number) => ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { max_attendees } });
    expect(await edit(19)).toMatchObject({
      status: 409,
      body: { code: 'capacity_below_occupied', current_attendees: 20 },
    });
    expect(await edit(20)).toMatchObject({ status: 200, body: { available_spots: 0 } });
  });

  it('changes nothing if nothing differs, and refuses a stale version', async () => {
    const { id } = await given();
    const same = await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { title: 'Concert' } });
    expect(same).toMatchObject({ status: 200, headers: { etag: '"v1"' } });
    expect(await tables.facts()).toEqual([]);
    const stale = { payload: { title: 'X' }, headers: { 'if-match': '"v7"' } };
    expect(await ask(STAFF, 'PATCH', `${E}/${id}`, stale)).toMatchObject({ status: 412, body: { code: 'stale' } });
  });

  it('plans the reminders anew when the time changes', async () => {
    const { id } = await given({ status: 'draft', reminders: [{ type: 'email', offset: 60 }] });
    await ask(STAFF, 'POST', `${E}/${id}/publish`);
    await ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { start_time: '10:00' } });
    const { body } = await ask(STAFF, 'GET', `${E}/${id}/reminders`);
    expect(body.data).toMatchObject([{ due_at: '2026-10-16T09:00:00.000Z', status: 'planned' }]);
  });

  it('gives a repeated key the first reply', async () => {
    const more = { payload: { title: 'Once' }, headers: { 'idempotency-key': 'k1' } };
    const { id } = await given();
    const first = await ask(STAFF, 'PATCH', `${E}/${id}`, more);
    const again = await ask(STAFF, 'PATCH', `${E}/${id}`, more);
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { 'idempotency-replayed': 'true' } });
    const trial = { payload: { title: 'Twice' }, headers: { 'idempotency-key': 'k2' } };
    const preview = await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, trial);
    expect(await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, trial)).toMatchObject({ text: preview.text });
    expect(preview.body).toMatchObject({ dry_run: true, event: { title: 'Twice' } });
    expect(await tables.facts()).toHaveLength(1);
  });
});

describe('scheduling', () => {
  it('stores publish_at, and a read publishes an overdue event', async () => {
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

  it('publishes immediately if publish_at is in the past', async () => {
    const { id } = await given({ status: 'draft' });
    await ask(STAFF, 'POST', `${E}/${id}/schedule`, { payload: { publish_at: '2020-01-01T00:00:00Z' } });
    const outside = { roles: ['external' as const], permissions: ['events.view'] };
    expect(await ask(outside, 'GET', `${E}/${id}`)).toMatchObject({ status: 200, body: { status: 'published' } });
  });

  it('requires the fields of the registration type', async () => {
    const answer = await ask(
      STAFF,
      'POST',
      `${E}/${(await given({ status: 'draft', registration_type: 'required' })).id}/schedule`,
    );
    expect(answer.status).toBe(422);
    expect(pointersOf(answer)).toEqual(['/max_attendees', '/registration_deadline']);
  });
});

describe('returning from a postponement', () => {
  it.each([
    ['scheduled', 'the date lies ahead', { postponed_to: new Date('2026-10-16T09:00:00Z') }, undefined],
    ['draft', 'the date is not known', { postponed_to: null }, undefined],
    ['draft', 'the date is past', { starts_at: new Date(0), postponed_to: new Date(0) }, undefined],
    ['draft', 'the caller asks for it', { postponed_to: new Date('2026-10-16T09:00:00Z') }, 'draft'],
    ['scheduled', 'the caller asks for it', { postponed_to: null }, 'scheduled'],
  ])('makes the event %s if %s', async (status, _name, event, to) => {
    const { id } = await given({ status: 'postponed', ...event });
    const answer = await ask(STAFF, 'POST', `${E}/${id}/return`, to ? { payload: { to } } : {});
    expect(answer).toMatchObject({ status: 200, body: { status } });
  });
});

describe('duplicating', () => {
  it('copies the fields of the event but not its history', async () => {
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

  it('makes those who may not edit all events the organizer of their copy', async () => {
    const teacher = { ...STAFF, permissions: ['events.view', 'events.create'] };
    const { id } = await given({ organizer: { type: 'staff', name: 'Jana', email: 'jana@school.example' } });
    const { body } = await ask(teacher, 'POST', `${E}/${id}/duplicate`);
    expect(body).toMatchObject({ organizer_id: teacher.user_id, organizer: null });
    expect((await ask(teacher, 'GET', `${E}/${body.id}`)).status).toBe(200);
  });

  it('copies a date that was moved behind the end of its series as a series of one date', async () => {
    const rule = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_end_date: '2026-10-15' } as const;
    const { id } = await given({ ...rule, parent_event_id: 'first', occurrence_date: '2026-10-09' });
    const answer = await ask(STAFF, 'POST', `${E}/${id}/duplicate`);
    expect(answer).toMatchObject({ status: 201, body: { recurrence_end_date: '2026-10-16' } });
  });
});

describe('deleting', () => {
  it.each([
    [204, 'a draft with events.delete', DELETER, { status: 'draft' }],
    [403, 'a published event with events.delete', DELETER, {}],
    [204, 'a published event with events.delete.any too', ANY_DELETER, {}],
    [409, 'an event with a seat taken', ANY_DELETER, { current_attendees: 1 }],
    [204, 'an event for which people only wait', ANY_DELETER, { waitlisted: 1 }],
    [403, 'a draft without the permission', STAFF, { status: 'draft' }],
  ] as const)('answers %i for %s', async (status, _name, who, event) => {
    const { id } = await given(event);
    const answer = await ask(who, 'DELETE', `${E}/${id}`);
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body).toMatchObject({ code: 'invalid_transition', current_status: 'published' });
    expect((await tables.facts()).map(({ type }) => type)).toEqual(status === 204 ? ['event.deleted'] : []);
    for (const path of ['', '/timeline', '/reminders', '/deliveries', '/registrations'])
      expect((await ask(ANY_DELETER, 'GET', `${E}/${id}${path}`)).status).toBe(status === 204 ? 404 : 200);
  });
});
