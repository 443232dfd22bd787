import { describe, expect, it } from 'vitest';
import { PARENT, provideHttp, type Who } from '../../support/http/http-app.ts';

const { ask, now } = await provideHttp();

const HEAD: Who = { user_id: 'head', roles: ['staff'], permissions: ['events.settings.manage'] };
const SCHOOL = '/api/v1/operations/school';
const textOf = (trigger: string) => `${SCHOOL}/texts/${trigger}`;
const LIPOVA = { name: 'Lipová', sender_name: 'ZŠ Lipová', timezone: 'Europe/Prague', locale: 'cs', color: '#7a1f3d' };

describe('the preview of a text', () => {
  it('shows the message on every channel in the language of the school and with its name', async () => {
    await ask(HEAD, 'PUT', SCHOOL, { payload: LIPOVA });
    expect(await ask(HEAD, 'GET', textOf('event.cancelled'))).toMatchObject({
      status: 200,
      body: {
        trigger: 'event.cancelled',
        locale: 'cs',
        email: {
          from: { name: 'ZŠ Lipová', address: 'school@school.example' },
          subject: expect.stringContaining('Podzimní slavnost'),
          text: expect.stringContaining('Kapela onemocněla'),
        },
        sms: { text: expect.stringMatching(/^ZS Lipova: /), segments: expect.any(Number) },
        push: { title: expect.stringContaining('Podzimní slavnost') },
        in_app: { title: expect.stringContaining('Podzimní slavnost') },
      },
    });
    const english = await ask(HEAD, 'GET', `${textOf('event.cancelled')}?locale=en`);
    expect(english.body.email.subject).toContain('Autumn fair');
  });

  it.each([
    ['event.published', ['register by', 'Price']],
    ['event.cancelled', ['Reason']],
    ['event.changed', []],
  ])('of %s has only details that a real one can have', async (trigger, details) => {
    const { body } = await ask(HEAD, 'GET', `${textOf(trigger)}?locale=en`);
    expect(['register by', 'Price', 'Reason'].filter((one) => body.email.text.includes(one))).toEqual(details);
  });

  it('shows the email in a frame in which nothing runs, for an hour', async () => {
    await ask(HEAD, 'PUT', SCHOOL, { payload: LIPOVA });
    const { html_url } = (await ask(HEAD, 'GET', textOf('event.published'))).body.email;
    const page = await ask(null, 'GET', html_url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('#7a1f3d');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none';.* frame-ancestors 'self'$/),
    });
    expect((await ask(null, 'GET', html_url.replace('.', '.A'))).status).toBe(404);
    now.at = new Date(now.at.getTime() + 61 * 60_000);
    expect((await ask(null, 'GET', html_url)).status).toBe(404);
  });

  it('refuses a kind or language that does not exist by the rule enum, and needs events.settings.manage', async () => {
    const unknown = await ask(HEAD, 'GET', `${textOf('event.moved')}?locale=de`);
    expect(unknown.status).toBe(422);
    expect(unknown.body.errors).toMatchObject([{ rule: 'enum' }]);
    expect(await ask(PARENT, 'GET', textOf('event.published'))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('events.settings.manage') },
    });
  });
});
