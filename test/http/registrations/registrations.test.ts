import { describe, expect, it } from 'vitest';
import { E, PARENT, pointersOf, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const person = (user_id: string): Who => ({ ...PARENT, user_id });

describe('registering', () => {
  it('answers 201 with the registration and its address', async () => {
    const { id } = await given({ max_attendees: 2 });
    const payload = {
      kind: 'volunteer',
      notes: 'I bring\ncake',
      contact: { email: 'eva@example.org', phone: '+420601234567' },
    };
    const answer = await ask(PARENT, 'POST', `${E}/${id}/registrations`, { payload });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `${E}/${id}/registrations/${answer.body.id}` },
      body: { event_id: id, user_id: 'eva', status: 'confirmed', waitlist_position: null, ...payload },
    });
    expect(await ask(PARENT, 'GET', answer.headers.location ?? '')).toMatchObject({ status: 200, body: answer.body });
    expect((await ask(PARENT, 'GET', `${E}/${id}`)).body).toMatchObject({ current_attendees: 1, available_spots: 1 });
  });

  it('puts people on the waitlist in order, and gives a freed seat to the first', async () => {
    const { id } = await given({ max_attendees: 1, waitlist_enabled: true });
    const url = `${E}/${id}/registrations`;
    const sign = async (name: string) => (await ask(person(name), 'POST', url, { payload: { kind: 'attendee' } })).body;
    const [seat, first, second] = [await sign('a'), await sign('b'), await sign('c')];
    expect([seat, first, second].map(({ status, waitlist_position }) => [status, waitlist_position])).toEqual([
      ['confirmed', null],
      ['waitlisted', 1],
      ['waitlisted', 2],
    ]);
    const left = await ask(person('a'), 'POST', `${url}/${seat.id}/cancel`);
    expect(left).toMatchObject({ status: 200, body: { status: 'cancelled', cancel_reason: null } });
    expect((await ask(person('b'), 'GET', `${url}/${first.id}`)).body).toMatchObject({ status: 'confirmed' });
    expect((await ask(person('c'), 'GET', `${url}/${second.id}`)).body).toMatchObject({ waitlist_position: 1 });
    expect((await ask(person('a'), 'POST', `${url}/${seat.id}/cancel`)).body.code).toBe('registration_not_active');
  });

  it.each([
    [{ registration_type: 'none' }, 'registration_not_available'],
    [{ status: 'scheduled' }, 'event_not_published'],
    [{ registration_deadline: new Date('2026-08-31T00:00:00Z') }, 'registration_closed'],
    [{ max_attendees: 1, current_attendees: 1 }, 'event_full'],
  ] as const)('is refused with a reason: %o → %s', async (event, code) => {
    const answer = await ask(PARENT, 'POST', `${E}/${(await given(event)).id}/registrations`, {
      payload: { kind: 'attendee' },
    });
    expect(answer).toMatchObject({ status: 409, body: { code } });
  });

  it('answers 429 if one person registers and cancels again and again', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    for (let times = 0; times < 5; times += 1) {
      const made = await ask(PARENT, 'POST', url, { payload: { kind: 'attendee' } });
      expect(made.status).toBe(201);
      expect((await ask(PARENT, 'POST', `${url}/${made.body.id}/cancel`)).status).toBe(200);
    }
    const refused = await ask(PARENT, 'POST', url, { payload: { kind: 'attendee' } });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.detail).toContain('at most 5 times in 24 hours');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await ask(person('somebody'), 'POST', url, { payload: { kind: 'attendee' } })).status).toBe(201);
  });

  it('refuses a second active registration of the same person', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    await ask(PARENT, 'POST', url, { payload: { kind: 'attendee' } });
    expect((await ask(PARENT, 'POST', url, { payload: { kind: 'speaker' } })).body.code).toBe('already_registered');
  });

  it.each([
    ['nothing', undefined, ['/kind']],
    ['an unknown kind', { kind: 'guest' }, ['/kind']],
    ['long notes', { kind: 'attendee', notes: 'x'.repeat(1001) }, ['/notes']],
    ['a mailbox with a name', { kind: 'attendee', contact: { email: 'Eva <eva@x.org>' } }, ['/contact/email']],
    ['two mailboxes', { kind: 'attendee', contact: { email: 'a@x.org,b@x.org' } }, ['/contact/email']],
    ['a phone without +', { kind: 'attendee', contact: { phone: '601234567' } }, ['/contact/phone']],
    ['a status', { kind: 'attendee', status: 'confirmed' }, ['/status']],
    ['an operator for a person', { kind: 'attendee', user_id: { $gt: '' } }, ['/user_id']],
  ])('with %s is refused', async (_name, payload, pointers) => {
    const answer = await ask(STAFF, 'POST', `${E}/${(await given()).id}/registrations`, payload ? { payload } : {});
    expect(answer.status).toBe(422);
    expect(pointersOf(answer)).toEqual(pointers);
    expect(await tables.registrations()).toHaveLength(0);
  });

  it('lets only parents and staff register another person', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    const sign = (who: Who, user_id: string) => ask(who, 'POST', url, { payload: { kind: 'attendee', user_id } });
    expect((await sign(PARENT, 'jan')).status).toBe(403);
    expect((await sign({ ...PARENT, children: ['jan'] }, 'jan')).status).toBe(201);
    expect((await sign(STAFF, 'petr')).status).toBe(201);
  });
});

describe('the list of registrations', () => {
  it('is filtered and paged, and only for staff who manage registrations', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    for (const [i, kind] of ['attendee', 'speaker', 'attendee', 'attendee'].entries()) {
      await ask(person(`p${i}`), 'POST', url, { payload: { kind } });
    }
    const first = await ask(STAFF, 'GET', `${url}?kind=attendee&status=confirmed&limit=2`);
    expect(valuesOf(first, 'user_id')).toEqual(['p0', 'p2']);
    expect(first.body.has_more).toBe(true);
    const rest = await ask(
      STAFF,
      'GET',
      `${url}?kind=attendee&status=confirmed&limit=2&cursor=${first.body.next_cursor}`,
    );
    expect(valuesOf(rest, 'user_id')).toEqual(['p3']);
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null });
    expect((await ask(STAFF, 'GET', `${url}?kind=speaker&cursor=${first.body.next_cursor}`)).status).toBe(422);
    const both = await ask(STAFF, 'GET', `${url}?kind=speaker&kind=attendee&limit=2`);
    expect(valuesOf(both, 'user_id')).toEqual(['p0', 'p1']);
    expect((await ask(PARENT, 'GET', url)).status).toBe(403);
  });
});

describe('an edit of a registration', () => {
  it('changes kind, notes and single addresses, and is recorded with the fields that changed', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    const contact = { email: 'eva@home.example', phone: '+420601234567' };
    const { body: made } = await ask(person('eva'), 'POST', url, { payload: { kind: 'attendee', contact } });
    const edit = (who: typeof STAFF, payload: object) => ask(who, 'PATCH', `${url}/${made.id}`, { payload });

    const own = await edit(person('eva'), { notes: 'Two seats', contact: { phone: null } });
    expect(own).toMatchObject({
      status: 200,
      body: { kind: 'attendee', notes: 'Two seats', contact: { email: 'eva@home.example', phone: null } },
    });
    const moved = await edit(STAFF, { contact: { email: null, phone: '+420601234567' } });
    expect(moved.body.contact).toEqual({ email: null, phone: '+420601234567' });
    expect((await edit(STAFF, { contact: { email: 'eva@home.example' } })).body.contact).toEqual(contact);
    expect(await edit(STAFF, { kind: 'volunteer', notes: 'Two seats' })).toMatchObject({ body: { kind: 'volunteer' } });
    expect((await edit(STAFF, { contact: { email: null, phone: null } })).body.contact).toBeNull();
    await edit(STAFF, { contact: null });
    const edits = (await tables.facts()).filter(({ type }) => type === 'registration.edited');
    expect(edits.map(({ data }) => (data as { fields: string[] }).fields)).toEqual([
      ['notes', 'contact'],
      ['contact'],
      ['contact'],
      ['kind'],
      ['contact'],
    ]);
  });

  it('changes nothing if it names no field, as that of an event', async () => {
    const url = `${E}/${(await given()).id}`;
    const { body: made } = await ask(person('eva'), 'POST', `${url}/registrations`, { payload: { kind: 'attendee' } });
    for (const one of [url, `${url}/registrations/${made.id}`])
      expect((await ask(STAFF, 'PATCH', one, { payload: {} })).status).toBe(200);
  });

  it('is answered with the change if the request has an idempotency key', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    const { body: made } = await ask(person('eva'), 'POST', url, { payload: { kind: 'attendee' } });
    const request = { payload: { notes: 'Two seats' }, headers: { 'idempotency-key': 'edit' } };
    for (const replayed of [undefined, 'true']) {
      const { body, headers } = await ask(person('eva'), 'PATCH', `${url}/${made.id}`, request);
      expect([body.notes, headers['idempotency-replayed']]).toEqual(['Two seats', replayed]);
    }
  });

  it('is refused for strangers, ended registrations and other fields', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    const { body: made } = await ask(person('eva'), 'POST', url, { payload: { kind: 'attendee' } });
    const edit = (who: string, payload: object) => ask(person(who), 'PATCH', `${url}/${made.id}`, { payload });
    expect(await edit('adam', { notes: 'x' })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await edit('eva', { status: 'confirmed' })).body.errors).toMatchObject([{ pointer: '/status' }]);
    expect((await edit('eva', { kind: null })).status).toBe(422);
    await ask(person('eva'), 'POST', `${url}/${made.id}/cancel`);
    expect(await edit('eva', { notes: 'x' })).toMatchObject({ status: 409, body: { code: 'registration_not_active' } });
    expect((await ask(person('eva'), 'PATCH', `${url}/unknown`, { payload: { notes: 'x' } })).status).toBe(404);
  });
});

describe('one registration', () => {
  it('is shown to its owner, their parents and staff, and is 404 for others', async () => {
    const url = `${E}/${(await given()).id}/registrations`;
    const { body } = await ask(person('jan'), 'POST', url, { payload: { kind: 'attendee' } });
    const read = async (who: Who) => (await ask(who, 'GET', `${url}/${body.id}`)).status;
    expect(await read(person('jan'))).toBe(200);
    expect(await read({ ...PARENT, children: ['jan'] })).toBe(200);
    expect(await read(STAFF)).toBe(200);
    expect(await read(PARENT)).toBe(404);
    expect(await read({ ...STAFF, school_id: 's2' })).toBe(404);
    expect((await ask(PARENT, 'POST', `${url}/${body.id}/cancel`)).status).toBe(403);
  });
});
