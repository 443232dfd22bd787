import { describe, expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { provideHttp, serveAnew, type Who } from '../../support/http/http-app.ts';

const { ask, tables } = await provideHttp();

const SECRET = 'what the mail server shows, of 32 bytes';

describe('returned mail', () => {
  const send = (more: { secret?: string; type?: string; mail?: string } = {}, by = ask) =>
    by(null, 'POST', '/callbacks/email', {
      headers: {
        ...(more.secret === '' ? {} : { authorization: `Bearer ${more.secret ?? SECRET}` }),
        'content-type': more.type ?? 'message/rfc822',
      },
      payload: more.mail ?? 'Content-Type: message/delivery-status\r\n\r\n',
    });

  it('is accepted unchanged, whatever its content', async () => {
    expect(await send()).toMatchObject({ status: 202, body: { result: 'recorded' } });
    expect(await send({ mail: 'Subject: Re: x' })).toMatchObject({
      status: 202,
      body: { result: 'passed over' },
    });
    expect(tables.news).toEqual(['Content-Type: message/delivery-status\r\n\r\n', 'Subject: Re: x']);
  });

  it.each([
    ['without the secret', { secret: '' }, 401],
    ['with another secret', { secret: `${SECRET}x` }, 401],
    ['as JSON', { type: 'application/json', mail: '{}' }, 415],
  ])('%s is refused', async (_name, more, status) => {
    expect((await send(more)).status).toBe(status);
    expect(tables.news).toEqual([]);
  });

  it('is accepted in any size, and read as far as a report may stand', async () => {
    const mail = `Content-Type: message/delivery-status\r\n\r\n${'x'.repeat(9_000_000)}`;
    expect(await send({ mail })).toMatchObject({ status: 202, body: { result: 'recorded' } });
    expect(mail.startsWith(String(tables.news[0]))).toBe(true);
    expect(String(tables.news[0]).length).toBeLessThan(3_000_000);
  });

  it('answers 404 if no secret is set', async () => {
    const { ask } = await serveAnew({}, { bounceSecret: null });
    expect(await send({}, ask)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await send({ secret: 'null' }, ask)).status).toBe(404);
  });
});

describe('a reply to a text message', () => {
  const answer = { From: '+420601123456', To: '+15005550006', Body: 'STOP', MessageSid: 'SM1' };
  const post = (params: Record<string, string>, signature?: string) =>
    ask(null, 'POST', '/callbacks/sms', {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature ?? `signed https://school.test/callbacks/sms ${JSON.stringify(params)}`,
      },
      payload: new URLSearchParams(params).toString(),
    });

  it('is processed with its sender and gets an empty answer', async () => {
    const reply = await post({ ...answer, MessagingServiceSid: 'MG1', OptOutType: 'STOP' });
    expect(reply).toMatchObject({ status: 200, text: '<Response/>' });
    expect(reply.headers['content-type']).toContain('text/xml');
    expect(tables.news).toEqual([
      {
        sid: 'SM1',
        from: '+420601123456',
        to: '+15005550006',
        body: 'STOP',
        messaging_service_sid: 'MG1',
        opt_out_type: 'STOP',
      },
    ]);
  });

  it('is refused without a signature', async () => {
    expect(await post(answer, 'forged')).toMatchObject({ status: 403 });
    expect((await post({ Body: 'STOP' })).status).toBe(422);
    expect(tables.news).toEqual([]);
  });
});

describe('suppressed addresses', () => {
  const OPS: Who = { user_id: 'ops', roles: ['admin'], permissions: ['events.deliveries.manage'] };
  const S = '/api/v1/operations/suppressions';
  const held = (id: string, address: string) => ({
    tenant_id: 't1',
    school_id: 's1',
    id,
    channel: 'email' as const,
    address,
    kind: 'bounced' as const,
    why: 'bounce 5.1.1',
    since: new Date('2026-09-01T08:00:00Z'),
    until: new Date('2026-09-08T08:00:00Z'),
    times: 1,
  });

  it('are listed in pages or for one person', async () => {
    await tables.suppressions.put(held('a', 'eva@people.example'), held('b', 'karl@people.example'));
    await tables.contacts.put(aContact('karl', { email: 'karl@people.example' }));
    const first = await ask(OPS, 'GET', `${S}?limit=1`);
    expect(first.body).toMatchObject({ data: [{ id: 'a', until: '2026-09-08T08:00:00.000Z' }], has_more: true });
    const second = await ask(OPS, 'GET', `${S}?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ data: [{ id: 'b' }], has_more: false });
    expect((await ask(OPS, 'GET', `${S}?user_id=karl`)).body.data).toMatchObject([{ id: 'b' }]);
    expect((await ask(OPS, 'GET', `${S}?user_id=nobody`)).body.data).toEqual([]);
  });

  it('get messages again after staff remove the suppression', async () => {
    await tables.suppressions.put(held('a', 'eva@people.example'));
    expect((await ask(OPS, 'DELETE', `${S}/a`)).status).toBe(204);
    expect(await tables.suppressions()).toEqual([]);
    expect(await ask(OPS, 'DELETE', `${S}/a`)).toMatchObject({ status: 404 });
  });
});
