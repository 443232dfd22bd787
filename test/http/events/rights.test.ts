import { describe, expect, it } from 'vitest';
import { aRegistration } from '../../support/builders.ts';
import { type Answer, E, PARENT, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';

const served = await provideHttp();

const ORGANIZER: Who = { user_id: 'organizer', roles: ['staff'], permissions: ['events.view'] };
const ids = (answer: Answer) => valuesOf(answer, 'id');

describe('an organizer', () => {
  it('edits their own draft, and deletes it with events.create', async () => {
    const { id } = await served.given({ status: 'draft' });
    const { body } = await served.ask(ORGANIZER, 'GET', `${E}/${id}`);
    expect(body.allowed_actions).toEqual(['edit']);
    const payload = { title: 'Fixed' };
    expect((await served.ask(ORGANIZER, 'PATCH', `${E}/${id}`, { payload })).body.title).toBe('Fixed');
    expect((await served.ask(ORGANIZER, 'DELETE', `${E}/${id}`)).status).toBe(403);
    const creator = { ...ORGANIZER, permissions: ['events.view', 'events.create'] };
    expect((await served.ask({ ...creator, user_id: 'other' }, 'DELETE', `${E}/${id}`)).status).toBe(404);
    expect((await served.ask(creator, 'DELETE', `${E}/${id}`)).status).toBe(204);
  });

  it('does not edit a published event', async () => {
    const { id } = await served.given();
    expect((await served.ask(ORGANIZER, 'PATCH', `${E}/${id}`, { payload: { title: 'x' } })).status).toBe(403);
    expect((await served.ask(PARENT, 'PATCH', `${E}/${id}`, { payload: { title: 'x' } })).status).toBe(403);
  });

  it('reads the registrations of their own event, and changes none', async () => {
    const { id } = await served.given();
    await served.tables.registrations.put(aRegistration({ id: 'r1', event_id: id, user_id: 'eva' }));
    const list = `${E}/${id}/registrations`;
    const { body } = await served.ask(ORGANIZER, 'GET', list);
    expect(body.data).toMatchObject([{ id: 'r1', allowed_actions: [] }]);
    for (const url of [
      `${list}/counts`,
      `${list}/export`,
      `${list}/export.xlsx`,
      `${list}/r1`,
      `${E}/${id}/waitlist`,
    ]) {
      expect([url, (await served.ask(ORGANIZER, 'GET', url)).status]).toEqual([url, 200]);
      const other = await served.ask({ ...PARENT, user_id: 'petr' }, 'GET', url);
      expect([url, other.status]).toEqual([url, url.endsWith('r1') ? 404 : 403]);
    }
    expect((await served.ask(ORGANIZER, 'POST', `${list}/r1/confirm`)).status).toBe(403);
    expect((await served.ask(ORGANIZER, 'POST', `${list}/r1/cancel`)).status).toBe(403);
  });
});

it.each(['events.publish', 'events.cancel', 'events.delete'])('a holder of %s sees drafts', async (permission) => {
  const { id } = await served.given({ status: 'draft' });
  const who: Who = { user_id: 'clerk', roles: ['staff'], permissions: ['events.view', permission] };
  expect(ids(await served.ask(who, 'GET', E))).toEqual([id]);
  const { body } = await served.ask(who, 'GET', `${E}/${id}`);
  expect(body.allowed_actions).toContain(permission.replace('events.', ''));
  expect(body.refused_actions.edit).toContain('events.update');
  expect(body.refusal_codes.edit).toBe('forbidden');
});

it('names register as an action, or the reason against it', async () => {
  const open = await served.given({ registration_type: 'optional' });
  const full = await served.given({ registration_type: 'optional', max_attendees: 1, current_attendees: 1 });
  const read = async ({ id }: { id: string }) => (await served.ask(PARENT, 'GET', `${E}/${id}`)).body;
  expect((await read(open)).allowed_actions).toContain('register');
  expect((await read(full)).allowed_actions).not.toContain('register');
  expect(await read(full)).toMatchObject({
    refused_actions: { register: 'All places are taken.' },
    refusal_codes: { register: 'event_full' },
  });
});

it('hides an inactive event from everyone but staff, and refuses registrations', async () => {
  const { id } = await served.given({ is_active: false });
  for (const who of [PARENT, { user_id: 'x', roles: ['external'], permissions: ['events.view'] } satisfies Who]) {
    expect((await served.ask(who, 'GET', `${E}/${id}`)).status).toBe(404);
    expect(ids(await served.ask(who, 'GET', E))).toEqual([]);
    const payload = { kind: 'attendee' };
    expect((await served.ask(who, 'POST', `${E}/${id}/registrations`, { payload })).status).toBe(404);
  }
  const clerk: Who = { user_id: 'clerk', roles: ['staff'], permissions: ['events.view'] };
  expect(ids(await served.ask(clerk, 'GET', E))).toEqual([id]);
  const refused = await served.ask(clerk, 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee' } });
  expect(refused.body).toMatchObject({ status: 409, code: 'event_not_published' });
  expect((await served.ask(null, 'GET', '/api/v1/public/schools/s1/events')).body.data).toEqual([]);
});

it('refuses external visitors in restricted_to', async () => {
  const { id } = await served.given();
  const payload = { visibility: 'restricted', restricted_to: { roles: ['parent', 'external'] } };
  const { status, body } = await served.ask(STAFF, 'PATCH', `${E}/${id}`, { payload });
  expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer: '/restricted_to/roles' })]]);
});

it('lets staff register people past deadline and capacity with override, and records it', async () => {
  const { id } = await served.given({
    registration_deadline: new Date('2026-08-31T00:00:00Z'),
    max_attendees: 1,
    current_attendees: 1,
  });
  const url = `${E}/${id}/registrations`;
  const payload = { kind: 'attendee', user_id: 'petr', override: true };
  expect((await served.ask({ ...PARENT, user_id: 'petr' }, 'POST', url, { payload })).status).toBe(403);
  const plain = await served.ask(STAFF, 'POST', url, { payload: { ...payload, override: false } });
  expect(plain.body.code).toBe('registration_closed');
  expect((await served.ask(STAFF, 'POST', url, { payload })).body).toMatchObject({ status: 'confirmed' });
  const { body } = await served.ask(STAFF, 'GET', `${E}/${id}/timeline`);
  expect(body.data).toMatchObject([{ type: 'registration.confirmed', data: { user_id: 'petr', override: true } }]);
  const [event] = await served.tables.events();
  expect(event?.current_attendees).toBe(2);
});
