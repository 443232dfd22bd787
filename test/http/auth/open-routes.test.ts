import { describe, expect, it } from 'vitest';
import { aContact, aRegistration } from '../../support/builders.ts';
import { provideHttp, serveAnew } from '../../support/http/http-app.ts';

const { ask, tables, logged } = await provideHttp();

describe('the unsubscribe link', () => {
  const url = '/unsubscribe/good-token';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('shows a page on GET and changes nothing', async () => {
    const page = await ask(null, 'GET', url);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.text).toContain('<form method="post"><button>Unsubscribe</button></form>');
    expect((await ask(null, 'HEAD', url)).status).toBe(200);
    expect(await tables.preferences()).toHaveLength(0);
  });

  it.each([
    ['cs-CZ,cs;q=0.9', 'Odhlásit se z odběru'],
    ['sk,CS;q=0.9,en;q=0.8', 'Odhlásit se z odběru'],
    ['de-DE, en;q=0.8, cs;q=0.5', 'Unsubscribe'],
    ['sr-CS,csb', 'Unsubscribe'],
    ['en;q=0.5, cs', 'Odhlásit se z odběru'],
    ['en; q=0.5, cs ;q=0.9', 'Odhlásit se z odběru'],
    ['en;q=0, fr, *;q=0.1, cs;q=0.2', 'Odhlásit se z odběru'],
    ['cs;q=0', 'Unsubscribe'],
    ['*', 'Unsubscribe'],
    [';;q=,,cs;q=x', 'Unsubscribe'],
  ])('speaks the one of our languages that the browser prefers: %s', async (language, button) => {
    const { text } = await ask(null, 'GET', url, { headers: { 'accept-language': language } });
    expect(text).toContain(`<button>${button}</button>`);
  });

  it('names its own limit to a body that is too large', async () => {
    const { status, body } = await ask(null, 'POST', url, { headers: form, payload: 'x'.repeat(16 * 1024 + 1) });
    expect({ status, detail: body.detail }).toEqual({ status: 413, detail: 'The body must have at most 16384 bytes.' });
  });

  it.each([
    ['the button', { headers: form, payload: '' }],
    ['one click of a mail program', { headers: form, payload: 'List-Unsubscribe=One-Click' }],
    ['the same as multipart', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: '--x--' }],
    ['no body', {}],
  ])('acts on POST: %s', async (_name, more) => {
    await tables.contacts.put(aContact('eva'));
    for (const _again of [1, 2]) expect((await ask(null, 'POST', url, more)).status).toBe(200);
    expect(await tables.preferences()).toMatchObject([
      { tenant_id: 't1', school_id: 's1', user_id: 'eva', opted_out: ['*:email'] },
    ]);
  });

  it('leads to the settings that take it back, once it is done', async () => {
    const link = '<a href="/settings">Notification settings</a>';
    expect((await ask(null, 'GET', url)).text).not.toContain(link);
    expect((await ask(null, 'POST', url)).text).toContain(link);
  });

  it('acts for a registered person who is not in the directory', async () => {
    await tables.registrations.put(aRegistration({ user_id: 'eva' }));
    await ask(null, 'POST', url);
    expect(await tables.preferences()).toMatchObject([{ user_id: 'eva' }]);
  });

  it('stores nothing about a person who was erased', async () => {
    await tables.contacts.put(aContact('eva'));
    const office = { user_id: 'office', permissions: ['events.contacts.manage'] };
    expect((await ask(office, 'DELETE', '/api/v1/operations/contacts/eva')).status).toBe(204);
    expect((await ask(null, 'POST', url)).status).toBe(200);
    expect(await tables.preferences()).toHaveLength(0);
  });

  it.each(['GET', 'POST'])('shows an error for a forged token (%s)', async (method) => {
    const answer = await ask(null, method, '/unsubscribe/<script>');
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('<script>');
    expect(await tables.preferences()).toHaveLength(0);
  });

  it('does not log its token', async () => {
    await ask(null, 'GET', url);
    expect(logged).toMatchObject([
      { event: 'http.request.completed', ids: { route: '/unsubscribe/:token', status: 200 } },
    ]);
    expect(JSON.stringify(logged)).not.toContain('good-token');
  });
});

describe('a Twilio callback', () => {
  const path = '/callbacks/twilio/d1?fence=3';
  const news = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' };
  const signed = (params: Record<string, string>, at = path) =>
    `signed https://school.test${at} ${JSON.stringify(params)}`;
  const send = (params: Record<string, string>, signature: string, at = path) => ({
    url: at,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
    payload: new URLSearchParams(params).toString(),
  });

  it('is processed if the signature covers the public address and every parameter', async () => {
    const { url, ...more } = send(news, signed(news));
    expect((await ask(null, 'POST', url, more)).status).toBe(204);
    expect(tables.news).toEqual([
      { delivery_id: 'd1', fence: 3, provider_id: 'SM1', status: 'undelivered', error_code: '30003', senders: [] },
    ]);
  });

  it.each([
    ['no signature', send(news, '')],
    ['a forged signature', send(news, 'forged')],
    ['a signature of other parameters', send({ ...news, MessageStatus: 'delivered' }, signed(news))],
    ['a signature of another delivery', send(news, signed(news, '/callbacks/twilio/d2?fence=3'))],
    ['a signature of another claim', send(news, signed(news), '/callbacks/twilio/d1?fence=4')],
  ])('with %s is refused', async (_name, { url, ...more }) => {
    expect(await ask(null, 'POST', url, more)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(tables.news).toHaveLength(0);
  });

  it('is refused without a fencing token or form body', async () => {
    const at = '/callbacks/twilio/d1';
    const { url, ...more } = send(news, signed(news, at), at);
    expect((await ask(null, 'POST', url, more)).status).toBe(422);
    expect((await ask(null, 'POST', path, { payload: news })).status).toBe(415);
  });
});

describe('health', () => {
  it('answers 200 on live', async () => {
    expect(await ask(null, 'GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('answers 200 on ready if every dependency is ready', async () => {
    const checks = { mongodb: 'ok', redis: 'ok' };
    expect(await ask(null, 'GET', '/health/ready')).toMatchObject({ status: 200, body: { status: 'ok', checks } });
  });

  it('answers 503 on ready if a dependency is not ready', async () => {
    const checks = { mongodb: 'ok', redis: 'no answer' };
    const { ask } = await serveAnew({}, { ready: async () => checks });
    const answer = await ask(null, 'GET', '/health/ready');
    expect(answer).toMatchObject({ status: 503, body: { code: 'busy', detail: 'Not ready: redis.', checks } });
    expect(answer.headers['retry-after']).toBe('5');
  });
});
