import { describe, expect, it } from 'vitest';
import { E, EVERYTHING, provideHttp, STAFF, serveAnew } from '../../support/http/http-app.ts';

const { ask, now, dump } = await provideHttp();

const WEBHOOKS = '/api/v1/operations/webhooks';
const HOOK = { url: 'https://hook.example/x', types: ['event.edited'] };

describe('webhooks', () => {
  it('show the secret once, and never again', async () => {
    const added = await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: { ...HOOK, description: 'Website' } });
    expect(added.status).toBe(201);
    expect(added.headers.location).toBe(`${WEBHOOKS}/${added.body.id}`);
    const { secret, ...webhook } = added.body;
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({ ...HOOK, description: 'Website', enabled: true, old_secret_until: null });
    expect(await dump()).toContain(secret);
    const listed = await ask(EVERYTHING, 'GET', WEBHOOKS);
    expect(listed.body.data).toEqual([webhook]);
    const changed = await ask(EVERYTHING, 'PATCH', `${WEBHOOKS}/${webhook.id}`, { payload: { enabled: false } });
    for (const { text } of [listed, changed]) expect(text).not.toContain('whsec_');
  });

  it('get a new secret on request, while the old one is valid for a day', async () => {
    const { body: added } = await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: HOOK });
    const { status, body } = await ask(EVERYTHING, 'POST', `${WEBHOOKS}/${added.id}/rotate_secret`);
    expect(status).toBe(200);
    expect(body.secret).not.toBe(added.secret);
    expect(Date.parse(body.old_secret_until) - now.at.getTime()).toBe(86_400_000);
  });

  it('keep both secrets if two people replace the secret at the same time', async () => {
    const { body: added } = await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: HOOK });
    const rotate = () => ask(EVERYTHING, 'POST', `${WEBHOOKS}/${added.id}/rotate_secret`);
    const answers = await Promise.all([rotate(), rotate()]);
    const stored = await dump();
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(stored).toContain(body.secret);
    }
  });

  it.each([
    ['http://hook.example/', 'uri'],
    ['https://user:password@hook.example/', 'uri'],
    ['https://password@hook.example/', 'uri'],
    ['ftp://hook.example/', 'uri'],
    ['hook.example', 'uri'],
    ['https://localhost/hook', 'private_address'],
    ['https://LOCALHOST.:8443/hook', 'private_address'],
    ['https://n8n.localhost/hook', 'private_address'],
    ['https://0x7f.1/', 'private_address'],
    ['https://[::ffff:192.168.0.1]/', 'private_address'],
  ])('refuse the address %s by the rule %s', async (url, rule) => {
    const { status, body } = await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: { ...HOOK, url } });
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/url', rule }]]);
    const { body: added } = await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: HOOK });
    const changed = await ask(EVERYTHING, 'PATCH', `${WEBHOOKS}/${added.id}`, { payload: { url } });
    expect(changed.status).toBe(422);
  });

  it('may be at an origin that the operator allows', async () => {
    const { ask } = await serveAnew(
      {},
      { webhookOrigins: ['http://10.0.0.5:8080', 'https://10.0.0.5', 'http://localhost:5678'] },
    );
    const add = (url: string) => ask(EVERYTHING, 'POST', WEBHOOKS, { payload: { ...HOOK, url } });
    expect((await add('http://10.0.0.5:8080/hook')).status).toBe(201);
    expect((await add('https://10.0.0.5/hook')).status).toBe(201);
    expect((await add('http://localhost:5678/hook')).status).toBe(201);
    expect((await add('http://10.0.0.5:8081/hook')).status).toBe(422);
  });

  it('refuse types that are unknown, missing or about messages', async () => {
    for (const types of [['event.moved'], [], ['message.answered'], ['event.edited', 'event.edited']])
      expect((await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: { ...HOOK, types } })).status).toBe(422);
  });

  it('are at most twenty for a school', async () => {
    for (let n = 0; n < 20; n += 1)
      expect((await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: HOOK })).status).toBe(201);
    const { status, body } = await ask(EVERYTHING, 'POST', WEBHOOKS, { payload: HOOK });
    expect([status, body.errors[0].rule]).toEqual([422, 'maxItems']);
  });

  it('need events.settings.manage', async () => {
    expect((await ask(STAFF, 'GET', WEBHOOKS)).status).toBe(403);
  });

  it('list their attempts, newest first and page by page, and replay one', async () => {
    // The server removes attempts by its own clock.
    now.at = new Date();
    // A school without earlier facts, whose subscriptions no one has cached.
    const askInSchool: typeof ask = (who, ...more) => ask({ ...who, school_id: 's2' }, ...more);
    const { body: webhook } = await askInSchool(EVERYTHING, 'POST', WEBHOOKS, { payload: HOOK });
    const day = { start_date: '2027-10-16', end_date: '2027-10-16' };
    const event = { title: 'Concert', event_type: 'cultural', ...day };
    const { id } = (await askInSchool(EVERYTHING, 'POST', E, { payload: event })).body;
    for (const tag of ['a', 'b', 'c'])
      await askInSchool(EVERYTHING, 'PATCH', `${E}/${id}`, { payload: { tags: [tag] } });
    const attempts = `${WEBHOOKS}/${webhook.id}/attempts`;
    const first = await askInSchool(EVERYTHING, 'GET', `${attempts}?limit=2`);
    const second = await askInSchool(EVERYTHING, 'GET', `${attempts}?limit=2&cursor=${first.body.next_cursor}`);
    const all = [...first.body.data, ...second.body.data];
    expect(all).toHaveLength(3);
    expect(all.map((one) => one.message_id)).toEqual(
      all
        .map((one) => one.message_id)
        .sort()
        .reverse(),
    );
    expect(all[0]).toMatchObject({ type: 'event.edited', event_id: id, status: 'pending', body: null, tries: [] });
    const replayed = await askInSchool(EVERYTHING, 'POST', `${attempts}/${all[0].id}/replay`);
    expect([replayed.status, replayed.body.id]).toEqual([202, all[0].id]);
    expect((await askInSchool(EVERYTHING, 'POST', `${attempts}/unknown/replay`)).status).toBe(404);
    expect((await askInSchool(EVERYTHING, 'DELETE', `${WEBHOOKS}/${webhook.id}`)).status).toBe(204);
    expect((await askInSchool(EVERYTHING, 'GET', attempts)).status).toBe(404);
  });
});
