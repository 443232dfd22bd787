import { describe, expect, it } from 'vitest';
import { PARENT, pointersOf, provideHttp, type Who } from '../../support/http/http-app.ts';

const { ask, now } = await provideHttp();

const HEAD: Who = { user_id: 'head', roles: ['staff'], permissions: ['events.settings.manage'] };

describe('the school', () => {
  const url = '/api/v1/operations/school';

  it('is saved and read', async () => {
    expect((await ask(HEAD, 'GET', url)).body).toMatchObject({ name: 'School', timezone: 'UTC', sender_name: null });
    const payload = { name: 'Lipová', timezone: 'Europe/Prague', locale: 'cs' };
    expect(await ask(HEAD, 'PUT', url, { payload })).toMatchObject({
      status: 200,
      body: { ...payload, sender_name: null },
    });
    expect((await ask(HEAD, 'GET', url)).body).toMatchObject(payload);
    expect((await ask({ ...HEAD, school_id: 's2' }, 'GET', url)).body.name).toBe('School');
  });

  it('refuses a change that is based on earlier settings', async () => {
    const scope = { ...HEAD, school_id: 's3' };
    const payload = { name: 'Lipová', timezone: 'Europe/Prague', locale: 'cs' };
    const put = (tag: unknown) => ask(scope, 'PUT', url, { payload, headers: { 'if-match': String(tag) } });
    const { etag } = (await ask(scope, 'GET', url)).headers;
    expect(await put('"other"')).toMatchObject({ status: 412, body: { code: 'stale' } });
    const saved = await put(etag);
    expect(saved.status).toBe(200);
    expect((await put(etag)).status).toBe(412);
    now.at = new Date(now.at.getTime() + 1);
    expect((await put(saved.headers.etag)).status).toBe(200);
    expect((await put(saved.headers.etag)).status).toBe(412);
    expect((await put('*')).status).toBe(200);
  });

  it('is refused with all faults together, and needs the permission events.settings.manage', async () => {
    const answer = await ask(HEAD, 'PUT', url, { payload: { name: '', timezone: 'x', locale: 'fr', colour: 1 } });
    expect(pointersOf(answer).sort()).toEqual(['/colour', '/locale', '/name', '/timezone']);
    const read = await ask(HEAD, 'PUT', url, { payload: { ...(await ask(HEAD, 'GET', url)).body, name: 'Lipová' } });
    expect(read.body.errors.map(({ rule }: { rule: string }) => rule)).toEqual(Array(5).fill('read_only'));
    expect((await ask(PARENT, 'GET', url)).status).toBe(403);
  });

  it('shows its color and logo to its people and to visitors', async () => {
    const look = { color: '#17594f', logo_url: 'https://lipova.example/logo.png' };
    await ask(HEAD, 'PUT', url, { payload: { name: 'Lipová', timezone: 'Europe/Prague', locale: 'cs', ...look } });
    expect((await ask(PARENT, 'GET', '/api/v1/me')).body.school).toMatchObject(look);
    expect((await ask(null, 'GET', '/api/v1/public/schools/s1')).body).toMatchObject(look);
  });

  it.each([
    ['#777777', 'contrast'],
    ['#ffff00', 'contrast'],
    ['red', 'pattern'],
    ['#17594f;background:url(x)', 'pattern'],
  ])('refuses the color %s by the rule %s', async (color, rule) => {
    const payload = { name: 'Lipová', timezone: 'Europe/Prague', locale: 'cs', color };
    const answer = await ask(HEAD, 'PUT', url, { payload });
    expect(answer.body.errors).toEqual([{ pointer: '/color', message: expect.any(String), rule }]);
  });

  it('reads which channels each message uses, and which of them are mandatory', async () => {
    const channels = { 'event.starting': [], 'event.published': ['email'] };
    await ask(HEAD, 'PUT', url, { payload: { name: 'Lipová', timezone: 'UTC', locale: 'cs', channels } });
    const { body } = await ask(HEAD, 'GET', url);
    const one = (trigger: string) => body.messages.find((message: { trigger: string }) => message.trigger === trigger);
    expect(one('event.starting')).toMatchObject({ channels: [], may_switch_off: true });
    expect(one('event.published')).toMatchObject({ channels: ['email'], mandatory: [] });
    expect(one('event.cancelled')).toMatchObject({ mandatory: ['email', 'in_app'], may_switch_off: false });
  });
});
