import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ndjsonLines } from '../../../src/http/people/ndjson.ts';
import { contactFaults } from '../../../src/http/people/people-schema.ts';
import { importContacts } from '../../../src/people/put-contact.ts';
import { callerOf, pointersOf, provideHttp, type Who } from '../../support/http/http-app.ts';

const { ask, deps, tables } = await provideHttp();

const CONTACTS = '/api/v1/operations/contacts';
const OFFICE: Who = { user_id: 'office', roles: ['staff'], permissions: ['events.contacts.manage'] };
const EVA = {
  name: 'Eva Nováková',
  email: 'eva@example.org',
  phone: '+420601234567',
  roles: ['parent'],
  class_ids: ['5A'],
  grade_level_ids: [],
  department_ids: [],
  guardians: [],
  locale: 'cs',
  timezone: 'Europe/Prague',
};

describe('one contact', () => {
  it.each(['', '%20', '%0A'])('rejects an erasure of the user id "%s"', async (user_id) => {
    await ask(OFFICE, 'PUT', `${CONTACTS}/eva`, { payload: EVA });
    expect((await ask(OFFICE, 'DELETE', `${CONTACTS}/${user_id}`)).status).toBeGreaterThanOrEqual(400);
    expect((await ask(OFFICE, 'GET', `${CONTACTS}/eva`)).status).toBe(200);
  });

  it('is created with 201, replaced with 200, read, deleted, and then 404', async () => {
    const url = `${CONTACTS}/eva`;
    expect(await ask(OFFICE, 'PUT', url, { payload: EVA })).toMatchObject({
      status: 201,
      body: { user_id: 'eva', ...EVA },
    });
    expect(await ask(OFFICE, 'PUT', url, { payload: { name: 'Eva' } })).toMatchObject({
      status: 200,
      body: { email: null },
    });
    const read = await ask(OFFICE, 'GET', url);
    expect(read).toMatchObject({ status: 200, body: { name: 'Eva', roles: [], locale: null } });
    expect(read.body).not.toHaveProperty('tenant_id');
    expect((await ask({ ...OFFICE, school_id: 's2' }, 'GET', url)).status).toBe(404);
    expect((await ask(OFFICE, 'DELETE', url)).status).toBe(204);
    expect((await ask(OFFICE, 'GET', url)).status).toBe(404);
    expect((await ask(OFFICE, 'DELETE', url)).status).toBe(404);
  });

  it('names the fields that only the service sets, in a replacement and in an import', async () => {
    await ask(OFFICE, 'PUT', `${CONTACTS}/eva`, { payload: EVA });
    const { updated_at } = (await ask(OFFICE, 'GET', `${CONTACTS}/eva`)).body;
    const errors = [{ pointer: '/updated_at', rule: 'read_only' }];
    const replaced = await ask(OFFICE, 'PUT', `${CONTACTS}/eva`, { payload: { ...EVA, updated_at } });
    expect(replaced).toMatchObject({ status: 422, body: { errors } });
    expect(contactFaults({ ...EVA, user_id: 'eva', updated_at })).toMatchObject(errors);
  });

  it.each([
    ['GET', ''],
    ['GET', '/eva'],
    ['GET', '/eva/export'],
    ['PUT', '/eva'],
    ['DELETE', '/eva'],
  ] as const)('is refused for %s %s without events.contacts.manage', async (method, path) => {
    const who = { ...OFFICE, permissions: ['events.view'] };
    const request = method === 'PUT' ? { payload: EVA } : {};
    expect(await ask(who, method, CONTACTS + path, request)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  it('keeps a time zone as IANA spells it', async () => {
    const payload = { ...EVA, timezone: 'europe/PRAGUE' };
    expect(await ask(OFFICE, 'PUT', `${CONTACTS}/eva`, { payload })).toMatchObject({ body: EVA });
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['/name']],
    ['a line break in a name', { ...EVA, name: 'Eva\r\nBcc: x@y.z' }, ['/name']],
    ['a mailbox with a name', { ...EVA, email: 'Eva <eva@example.org>' }, ['/email']],
    ['a line break in an address', { ...EVA, email: 'eva@example.org\nx' }, ['/email']],
    ['a local phone number', { ...EVA, phone: '0601 234 567' }, ['/phone']],
    ['an unknown role', { ...EVA, roles: ['boss'] }, ['/roles/0']],
    ['a language without texts', { ...EVA, locale: 'fr' }, ['/locale']],
    ['no such zone', { ...EVA, timezone: 'Mars/Olympus' }, ['/timezone']],
    ['51 classes', { ...EVA, class_ids: Array.from({ length: 51 }, String) }, ['/class_ids']],
    ['an operator', { ...EVA, email: { $ne: null } }, ['/email']],
    ['a tenant', { ...EVA, tenant_id: 't2' }, ['/tenant_id']],
    ['herself as a guardian', { ...EVA, guardians: ['mother', 'eva'] }, ['/guardians/1']],
  ])('with %s is refused', async (_name, payload, pointers) => {
    const answer = await ask(OFFICE, 'PUT', `${CONTACTS}/eva`, { payload });
    expect(answer.status).toBe(422);
    expect(pointersOf(answer)).toEqual(pointers);
    expect(await tables.contacts()).toHaveLength(0);
  });

  it('refuses a user id with a line break', async () => {
    const answer = await ask(OFFICE, 'PUT', `${CONTACTS}/a%00b`, { payload: { name: 'Eva' } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/params/user_id' }] } });
  });
});

describe('an import', () => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;

  it('imports valid lines and reports the faulty ones', async () => {
    const payload = [
      line({ user_id: 'a', ...EVA }),
      '{ broken\n',
      '\n',
      line({ user_id: 'b', name: 'B', email: 'nope', locale: 'fr', extra: 1 }),
      line([1]),
      line({ user_id: 'a', name: 'Once more' }),
      `{"user_id":"p","name":"P","__proto__":{"admin":true}}\r\n`,
      line({ user_id: 'long', name: 'x'.repeat(70_000) }),
      line({ user_id: 'own', name: 'Own', guardians: ['own'] }),
      JSON.stringify({ user_id: 'c', name: 'Last, without a line end' }),
    ].join('');
    const answer = await ask(OFFICE, 'POST', `${CONTACTS}/import`, { headers, payload });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        received: 9,
        inserted: 2,
        replaced: 1,
        faulty_count: 6,
        faulty: [
          { line: 2, errors: [{ pointer: '', message: 'must be JSON in UTF-8' }] },
          { line: 4, errors: [{ pointer: '/extra' }, { pointer: '/email' }, { pointer: '/locale' }] },
          { line: 5, errors: [{ pointer: '', message: 'must be an object' }] },
          { line: 7, errors: [{ pointer: '/__proto__', message: 'is not a known field' }] },
          { line: 8, errors: [{ pointer: '', message: 'must have at most 65536 bytes' }] },
          { line: 9, errors: [{ pointer: '/guardians/0', rule: 'own_guardian' }] },
        ],
      },
    });
    expect((await tables.contacts()).map(({ user_id, name }) => [user_id, name])).toEqual([
      ['a', 'Once more'],
      ['c', 'Last, without a line end'],
    ]);
  });

  it('refuses compressed lines with 415', async () => {
    const payload = gzipSync(line({ user_id: 'a', name: 'A' }));
    const compressed = { headers: { ...headers, 'content-encoding': 'gzip' }, payload };
    const answer = await ask(OFFICE, 'POST', `${CONTACTS}/import`, compressed);
    expect(answer).toMatchObject({ status: 415, body: { detail: expect.stringContaining('content-encoding') } });
  });

  it('stores the lines before a stream breaks off', async () => {
    async function* broken() {
      yield { line: 1, value: { user_id: 'a', name: 'A' } };
      throw new Error('the connection broke');
    }
    await expect(importContacts(deps, callerOf(OFFICE), broken(), contactFaults)).rejects.toThrow(
      'the connection broke',
    );
    expect(await tables.contacts()).toMatchObject([{ user_id: 'a', name: 'A' }]);
  });

  it('accepts more than the body limit and writes batches of at most 500', async () => {
    const putMany = vi.spyOn(deps.contacts, 'putMany');
    onTestFinished(() => putMany.mockRestore());
    const lines = 5_000;
    const payload = Readable.from(
      (function* () {
        for (let i = 0; i < lines; i += 1)
          yield line({ user_id: `u${i}`, name: `Person ${i}`, email: `p${i}@example.org` });
      })(),
      { objectMode: false },
    );
    const answer = await ask(OFFICE, 'POST', `${CONTACTS}/import`, { headers, payload });
    expect(answer.body).toEqual({ received: lines, inserted: lines, replaced: 0, faulty_count: 0, faulty: [] });
    expect(Math.max(...putMany.mock.calls.map(([rows]) => rows.length))).toBe(500);
    expect(await tables.contacts()).toHaveLength(lines);
  });

  it('reports the first hundred faulty lines and counts the rest', async () => {
    const answer = await ask(OFFICE, 'POST', `${CONTACTS}/import`, { headers, payload: '{}\n'.repeat(250) });
    expect(answer.body).toMatchObject({ received: 250, faulty_count: 250 });
    expect(answer.body.faulty).toHaveLength(100);
  });

  it.each(['application/json', 'text/plain', 'application/x-ndjson2'])('as %s is refused', async (type) => {
    const answer = await ask(OFFICE, 'POST', `${CONTACTS}/import`, {
      headers: { 'content-type': type },
      payload: '{}',
    });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

describe('reading lines', () => {
  const all = async (chunks: Buffer[], limit?: number) => {
    const found = [];
    for await (const entry of ndjsonLines(chunks, limit)) found.push(entry);
    return found;
  };

  it('reads the same lines wherever the stream is split', async () => {
    const bytes = Buffer.from('{"a":"ž😀"}\n\n[2]\r\n"end"');
    const whole = await all([bytes]);
    expect(whole).toEqual([
      { line: 1, value: { a: 'ž😀' } },
      { line: 3, value: [2] },
      { line: 4, value: 'end' },
    ]);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await all([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    expect(await all(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('skips a line above the limit without buffering it', async () => {
    const huge = Array.from({ length: 1000 }, () => Buffer.alloc(1000, 0x61));
    expect(await all([...huge, Buffer.from('\n{}\n')], 5000)).toEqual([
      { line: 1, unreadable: 'must have at most 5000 bytes' },
      { line: 2, value: {} },
    ]);
    expect(await all(huge, 5000)).toEqual([{ line: 1, unreadable: 'must have at most 5000 bytes' }]);
  });

  it('reports lines that are not UTF-8', async () => {
    expect(await all([Buffer.from([0x22, 0xff, 0x22])])).toEqual([{ line: 1, unreadable: 'must be JSON in UTF-8' }]);
  });
});
