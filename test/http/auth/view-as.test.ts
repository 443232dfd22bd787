import { beforeEach, describe, expect, it } from 'vitest';
import { viewAs } from '../../../src/people/view-as.ts';
import { aContact, aRegistration } from '../../support/builders.ts';
import { callerOf, E, provideHttp, valuesOf, type Who } from '../../support/http/http-app.ts';
import { anEntry } from '../../support/message-builders.ts';

const served = await provideHttp();

const NEEDED = ['events.view', 'events.update', 'events.registrations.manage', 'events.view_as'];
const HEAD: Who = {
  user_id: 'head',
  roles: ['staff'],
  children: ['tom'],
  permissions: [...NEEDED, 'events.contacts.manage'],
};
const PREFERENCES = '/api/v1/me/preferences';

describe('viewing as someone else', () => {
  const as = (
    target: string,
    url: string,
    { who = HEAD, method = 'GET', payload = undefined as object | undefined } = {},
  ) => served.ask(who, method, url, { headers: { 'x-view-as': target }, ...(payload ? { payload } : {}) });
  const titles = async (target: string) => valuesOf(await as(target, E), 'title').sort();

  beforeEach(async () => {
    await served.tables.contacts.put(
      aContact('jana', { name: 'Eva Nováková', roles: ['parent'] }),
      aContact('tom', { name: 'Tom Novák', class_ids: ['5A'], guardians: ['jana'] }),
      aContact('karel', { name: 'Karel Malý', roles: ['staff'] }),
      aContact('left', { roles: ['parent'], left_at: new Date() }),
      aContact('far', { roles: ['parent'], school_id: 's2' }),
    );
    await served.given({ id: 'draft', title: 'Draft', status: 'draft' });
    await served.given({ id: 'internal', title: 'Internal', visibility: 'internal' });
    await served.given({ id: 'staff', title: 'Staff', visibility: 'staff_only' });
    await served.given({ id: 'parents', title: 'Parents', visibility: 'parents_only' });
    const restricted_to = { class_ids: ['5A'] };
    await served.given({ id: '5A', title: 'Class 5A', visibility: 'restricted', restricted_to });
    await served.given({ id: 'public', title: 'Public' });
  });

  it.each([
    ['role:parent', ['Internal', 'Parents', 'Public']],
    ['role:student', ['Internal', 'Public']],
    ['role:external', ['Public']],
    ['role:staff', ['Internal', 'Public', 'Staff']],
    ['role:admin', ['Internal', 'Public', 'Staff']],
    ['person:jana', ['Class 5A', 'Internal', 'Parents', 'Public']],
    ['person:tom', ['Class 5A', 'Internal', 'Public']],
  ])('shows as %s the events %j', async (target, expected) => {
    expect(await titles(target)).toEqual(expected);
  });

  it('shows an event page as the person, without the actions of the caller', async () => {
    await served.tables.registrations.put(aRegistration({ event_id: 'public', user_id: 'tom', status: 'confirmed' }));
    const { body } = await as('person:jana', `${E}/public`);
    expect(body.allowed_actions).toEqual(['share']);
    expect(body.restricted_to).toBeNull();
    expect((await as('person:jana', `${E}/staff`)).status).toBe(404);
    const mine = await as('person:jana', `${E}/public/registrations/mine`);
    expect(mine.body.data).toMatchObject([{ user_id: 'tom', allowed_actions: [] }]);
    const me = await as('person:jana', '/api/v1/me');
    expect(me.body).toMatchObject({ name: 'Eva Nováková', roles: ['parent'], children: [{ user_id: 'tom' }] });
    expect(me.body.may).toEqual(['view_events', 'view_statistics']);
  });

  it('shows the inbox of the person and marks nothing', async () => {
    await served.tables.inbox.put(anEntry({ id: 'm1', event_id: 'public', user_id: 'jana' }));
    await served.tables.inbox.put(anEntry({ id: 'm2', event_id: 'public', user_id: 'head' }));
    const { body } = await as('person:jana', '/api/v1/me/inbox');
    expect(body).toMatchObject({ data: [{ id: 'm1' }], unread_count: 1, unseen_count: 1 });
    for (const url of ['/api/v1/me/inbox/seen', '/api/v1/me/inbox/read_all', '/api/v1/me/inbox/m1/read'])
      expect((await as('person:jana', url, { method: 'POST' })).body.code).toBe('view_as_reads_only');
    for (const row of await served.tables.inbox()) expect(row).toMatchObject({ seen_at: null, read_at: null });
    expect((await as('role:parent', '/api/v1/me/inbox')).body.data).toEqual([]);
  });

  it('refuses every change, also with the permissions of the caller', async () => {
    const register = { method: 'POST', payload: { kind: 'attendee' } };
    expect(await as('person:jana', `${E}/public/registrations`, register)).toMatchObject({
      status: 403,
      body: { code: 'view_as_reads_only' },
    });
    const edit = { method: 'PATCH', payload: { title: 'Other' } };
    expect((await as('role:admin', `${E}/public`, edit)).body.code).toBe('view_as_reads_only');
    expect((await as('person:jana', PREFERENCES, { method: 'PUT', payload: {} })).body.code).toBe('view_as_reads_only');
    expect(await served.tables.registrations()).toEqual([]);
  });

  it.each([PREFERENCES, '/api/v1/me/settings', '/api/v1/me/feed', '/api/v1/me/inbox/stream'])(
    'refuses to read %s as someone else',
    async (url) => {
      expect(await as('person:jana', url)).toMatchObject({ status: 403, body: { code: 'view_as_reads_only' } });
    },
  );

  it.each([`${E}/public/registrations`, '/api/v1/operations/contacts/jana', '/api/v1/operations/school'])(
    'drops the permissions of the caller on %s, also as an administrator',
    async (url) => {
      for (const target of ['role:admin', 'person:jana'])
        expect(await as(target, url)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    },
  );

  it.each(NEEDED.slice(1))('refuses a caller without %s, to whom the client does not offer it', async (missing) => {
    const who = { ...HEAD, permissions: NEEDED.filter((one) => one !== missing) };
    const answer = await as('role:parent', E, { who });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body.detail).toContain(missing);
    const me = async (as: Who) => (await served.ask(as, 'GET', '/api/v1/me')).body.may;
    expect(await me(HEAD)).toContain('view_as');
    expect(await me(who)).not.toContain('view_as');
    expect(await starts()).toEqual([]);
  });

  it('grants no permission that the caller lacks', async () => {
    const who = { ...HEAD, permissions: NEEDED.slice(1) };
    expect((await as('role:admin', E, { who })).status).toBe(403);
  });

  it.each([
    ['person:far', 404, 'not_found'],
    ['person:left', 404, 'not_found'],
    ['person:nobody', 404, 'not_found'],
    ['person:karel', 403, 'forbidden'],
    ['role:head', 400, 'malformed'],
    ['person:', 400, 'malformed'],
    ['person:%', 400, 'malformed'],
  ])('refuses %s with %i', async (target, status, code) => {
    expect(await as(target, E)).toMatchObject({ status, body: { code } });
    expect(await starts()).toEqual([]);
  });

  it('records each start once for a person and session, for those who manage people', async () => {
    for (const url of [E, `${E}/public`, '/api/v1/me']) await as('person:jana', url);
    await as('role:parent', E);
    expect(await starts()).toEqual([
      expect.objectContaining({ by: 'head', user_id: 'jana', role: null }),
      expect.objectContaining({ by: 'head', user_id: null, role: 'parent' }),
    ]);
    const { body } = await served.ask(HEAD, 'GET', '/api/v1/operations/contacts/jana/views');
    expect(body.data).toEqual([{ user_id: 'head', name: null, at: '2026-09-01T08:00:00.000Z' }]);
  });

  it('records a start in each session', async () => {
    for (const ends of [1, 1, 2])
      await viewAs(served.deps, { ...callerOf(HEAD), expires_at: new Date(ends) }, { user_id: 'jana' });
    expect(await starts()).toHaveLength(2);
  });

  const starts = () => served.tables.viewStarts();
});
