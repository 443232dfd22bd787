import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Refused } from '../../src/core/errors.ts';
import { E, PARENT, provideHttp, STAFF } from '../support/http/http-app.ts';
import { latch } from '../support/latch.ts';

const { ask, deps, given, tables, faults, logged } = await provideHttp();

const NEW = { title: 'Concert', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };
const key = (value = 'k-1') => ({ 'idempotency-key': value });

describe('a request repeated with its Idempotency-Key', () => {
  it('runs once and gets the same status, headers and body twice', async () => {
    const first = await ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    const second = await ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second).toMatchObject({ status: 201, text: first.text });
    expect(second.headers).toMatchObject({
      'idempotency-replayed': 'true',
      etag: first.headers.etag,
      location: first.headers.location,
      'content-type': 'application/json; charset=utf-8',
    });
    expect(await tables.events()).toHaveLength(1);
  });

  it('gets the same answer with and without a key', async () => {
    const plain = await ask(STAFF, 'POST', `${E}/${(await given()).id}/unpublish`);
    const keyed = await ask(STAFF, 'POST', `${E}/${(await given()).id}/unpublish`, { headers: key() });
    const shape = (answer: typeof plain) => ({ ...answer.body, id: '' });
    expect(shape(keyed)).toEqual(shape(plain));
    expect(keyed.headers['content-type']).toBe(plain.headers['content-type']);
  });

  it('replays a DELETE without a body', async () => {
    const who = { ...STAFF, permissions: ['events.contacts.manage'] };
    const url = '/api/v1/operations/contacts/eva';
    await ask(who, 'PUT', url, { payload: { name: 'Eva' } });
    expect((await ask(who, 'DELETE', url, { headers: key() })).status).toBe(204);
    expect(await ask(who, 'DELETE', url, { headers: key() })).toMatchObject({
      status: 204,
      text: '',
      headers: { 'idempotency-replayed': 'true' },
    });
    expect((await ask(who, 'DELETE', url)).status).toBe(404);
  });

  it('is refused if its body differs', async () => {
    await ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    const other = await ask(STAFF, 'POST', E, { payload: { ...NEW, title: 'Play' }, headers: key() });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await tables.events()).toHaveLength(1);
  });

  it('is refused if its query differs', async () => {
    const { id } = await given({ status: 'draft' });
    const publish = (query: string) => ask(STAFF, 'POST', `${E}/${id}/publish${query}`, { headers: key() });
    expect((await publish('?dry_run=true')).status).toBe(200);
    expect(await publish('')).toMatchObject({ status: 422, body: { detail: expect.stringContaining('parameters') } });
  });

  it('runs again for another caller, school, route or path', async () => {
    const [a, b] = [await given(), await given()];
    await ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    await ask({ ...STAFF, user_id: 'other' }, 'POST', E, { payload: NEW, headers: key() });
    await ask({ ...STAFF, school_id: 's2' }, 'POST', E, { payload: NEW, headers: key() });
    await ask({ ...STAFF, tenant_id: 't2' }, 'POST', E, { payload: NEW, headers: key() });
    expect(await tables.events()).toHaveLength(6);
    for (const { id } of [a, b]) {
      for (const [action, status] of [
        ['unpublish', 'draft'],
        ['publish', 'published'],
      ])
        expect(await ask(STAFF, 'POST', `${E}/${id}/${action}`, { headers: key() })).toMatchObject({
          status: 200,
          body: { id, status },
        });
    }
  });

  it('is refused while the first request runs, and succeeds later', async () => {
    const { open: go, opened: gate } = latch();
    const { insert } = deps.events;
    const inserts = vi.spyOn(deps.events, 'insert').mockImplementation(async (events, tx) => {
      await gate;
      return insert(events, tx);
    });
    onTestFinished(() => inserts.mockRestore());
    const first = ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    await expect.poll(tables.replies).toHaveLength(1);
    const second = await ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } });
    go();
    expect((await first).status).toBe(201);
    expect((await ask(STAFF, 'POST', E, { payload: NEW, headers: key() })).headers['idempotency-replayed']).toBe(
      'true',
    );
  });
});

describe('a refusal', () => {
  it('is stored if a retry cannot succeed', async () => {
    const { id } = await given({ visibility: 'staff_only' });
    const register = () =>
      ask(PARENT, 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee' }, headers: key() });
    const first = await register();
    await tables.events.set({ visibility: 'public' });
    const second = await register();
    expect(first.status).toBe(404);
    expect(second).toMatchObject({ status: 404, text: first.text, headers: { 'idempotency-replayed': 'true' } });
    expect(second.headers['content-type']).toBe('application/problem+json');
  });

  it('with 409 is not stored, so a retry may succeed', async () => {
    const { id } = await given({ status: 'completed' });
    const publish = () => ask(STAFF, 'POST', `${E}/${id}/publish`, { headers: key() });
    expect((await publish()).status).toBe(409);
    expect(await tables.replies()).toEqual([]);
    await tables.events.set({ status: 'draft' });
    expect((await publish()).status).toBe(200);
  });

  it.each([
    [429, 'rate_limited'],
    [503, 'busy'],
  ] as const)('with %i is not stored, so a retry may succeed', async (status, code) => {
    const { id } = await given({ status: 'draft' });
    faults.transact = new Refused({ code });
    const publish = () => ask(STAFF, 'POST', `${E}/${id}/publish`, { headers: key() });
    expect((await publish()).status).toBe(status);
    expect(await tables.replies()).toEqual([]);
    faults.transact = null;
    expect((await publish()).status).toBe(200);
  });

  it('with 500 is not stored and reveals nothing', async () => {
    const { id } = await given({ status: 'draft' });
    faults.transact = new Error('connection to mongodb://user:pass@db lost for eva@example.org, +420601234567');
    const publish = () => ask(STAFF, 'POST', `${E}/${id}/publish`, { headers: key() });
    const failed = await publish();
    expect(failed).toMatchObject({ status: 500, body: { code: 'internal', status: 500 } });
    expect(failed.text).not.toMatch(/mongodb|stack|lost/);
    const line = logged.find(({ event }) => event === 'http.request.failed');
    expect(line).toMatchObject({ level: 'error', ids: { requestId: failed.headers['x-request-id'] } });
    expect(JSON.stringify(line)).not.toMatch(/eva@|420601|pass@/);
    expect(await tables.replies()).toEqual([]);
    faults.transact = null;
    expect((await publish()).status).toBe(200);
  });
});

describe('keys', () => {
  it.each([
    ['', 422],
    ['two words', 422],
    ['ž', 422],
    ['x'.repeat(256), 422],
    ['x'.repeat(255), 201],
    ['~!@#$%^&*()_+', 201],
  ])('%j answers %i', async (value, status) => {
    const answer = await ask(STAFF, 'POST', E, { payload: NEW, headers: key(value) });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.errors[0].pointer).toBe('/headers/idempotency-key');
  });

  it('are stored in the transaction of the change', async () => {
    const inserts = vi.spyOn(deps.events, 'insert');
    const finishes = vi.spyOn(deps.idempotency, 'finish');
    onTestFinished(() => void [inserts, finishes].map((spy) => spy.mockRestore()));
    await ask(STAFF, 'POST', E, { payload: NEW, headers: key() });
    expect(inserts.mock.calls).toHaveLength(1);
    const tx = inserts.mock.calls[0]?.[1];
    expect(finishes.mock.calls).toEqual([
      [expect.anything(), expect.anything(), expect.objectContaining({ status: 201 }), tx],
    ]);
    expect(finishes.mock.calls[0]?.[3]).toBe(tx);
  });
});
