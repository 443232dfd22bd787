import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { busy, ERRORS, Refused } from '../../src/core/errors.ts';
import { E, EVERYTHING, provideHttp, STAFF, serveAnew } from '../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const NEW = { title: 'Concert', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };
const json = { 'content-type': 'application/json' };

/** The answer to a request that fails with this error, and what is logged of it. */
async function failed(error: Error) {
  const { ask, logged } = await serveAnew({ verifyToken: () => Promise.reject(error) });
  const answer = await ask(STAFF, 'GET', `${E}/x`);
  return { answer, logged: logged[0], requestId: answer.headers['x-request-id'] };
}

describe('a problem document', () => {
  it('has every member of RFC 9457 and our own members', async () => {
    const answer = await ask(STAFF, 'GET', `${E}/unknown`);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.body).toEqual({
      type: 'https://school.test/problems/not_found',
      title: 'Not found',
      status: 404,
      instance: `urn:uuid:${answer.headers['x-request-id']}`,
      code: 'not_found',
    });
  });

  it('links its type to a page with code, status, title and remedy', async () => {
    for (const [code, { status, title, remedy }] of Object.entries(ERRORS))
      expect(await ask(null, 'GET', `/problems/${code}`)).toMatchObject({
        status: 200,
        body: { code, status, title, remedy },
      });
  });

  it.each([
    ['GET', '/'],
    ['GET', '/api/v1/operations'],
    ['POST', `${E}/x/explode`],
    ['GET', `${E}/x/registrations/y/z`],
    ['GET', `/unsubscribe/${'x'.repeat(2000)}`],
  ])('%s %s answers 404, also without a token', async (method, url) => {
    expect(await ask(null, method, url)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it.each([
    ['PUT', E, 'GET, HEAD, POST'],
    ['POST', `${E}/x`, 'DELETE, GET, HEAD, PATCH'],
    ['GET', `${E}/x/publish?dry_run=true`, 'POST'],
    ['DELETE', '/health/live', 'GET, HEAD'],
    ['POST', `${E}/${'x'.repeat(150)}`, 'DELETE, GET, HEAD, PATCH'],
  ])('%s %s answers 405 and names the methods that the address supports', async (method, url, allow) => {
    const answer = await ask(null, method, url);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.allow).toBe(allow);
    expect(answer.body.detail).toBe(`Use ${allow}.`);
  });

  it('answers 400 to an address that cannot be decoded', async () => {
    expect(await ask(null, 'GET', `${E}/%zz`)).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });

  it.each(['busy', 'rate_limited'] as const)('says when to come back: %s', async (code) => {
    const { answer } = await failed(new Refused({ code, retryAfter: 2.3 }));
    expect(answer.headers['retry-after']).toBe('3');
  });
});

describe('bodies that are not JSON', () => {
  it.each([
    'text/plain',
    'application/json\tx',
    'application/json;\tcharset=utf-8',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=utf-7',
    'application/json;x',
    'application/jsonx',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'x',
  ])('with the content type %j answer 415', async (type) => {
    const answer = await ask(STAFF, 'POST', E, { headers: { 'content-type': type }, payload: JSON.stringify(NEW) });
    const detail = 'Send `content-type: application/json` with a body in UTF-8.';
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type', detail } });
    expect(await tables.events()).toHaveLength(0);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'a body of the type %s is read',
    async (type) => {
      const answer = await ask(STAFF, 'POST', E, { headers: { 'content-type': type }, payload: JSON.stringify(NEW) });
      expect(answer.status).toBe(201);
    },
  );

  it('answers 415 to a body without a content type', async () => {
    const answer = await ask(STAFF, 'POST', E, { payload: Buffer.from(JSON.stringify(NEW)) });
    expect(answer.status).toBe(415);
  });

  it('names the types that the route accepts', async () => {
    const wrong = { headers: { 'content-type': 'text/plain' }, payload: 'x' };
    const edit = await ask(EVERYTHING, 'PATCH', `${E}/${(await given()).id}`, wrong);
    expect(edit.body.detail).toContain('`content-type: application/json` or `application/merge-patch+json`');
    const contacts = await ask(EVERYTHING, 'POST', '/api/v1/operations/contacts/import', wrong);
    expect(contacts.body.detail).toContain('`content-type: application/x-ndjson`');
  });
});

describe('bodies that cannot be taken', () => {
  it.each([
    '{',
    '{"title":}',
    '{"title":"x",}',
    "{'title':1}",
    'NaN',
    '\u0000',
    '{"__proto__":{"admin":true}}',
    '{"title":"x","location":{"__proto__":{"admin":true}}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"\\u005f_proto__":1}',
  ])('%s answers 400', async (payload) => {
    const answer = await ask(STAFF, 'POST', E, { headers: json, payload });
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('say why they cannot be read', async () => {
    const { body } = await ask(STAFF, 'POST', E, { headers: json, payload: '{"title":' });
    expect(body.detail).toMatch(/not valid JSON/);
  });

  it.each(['{"location":{"__proto__":{}}}', '{"constructor":{"prototype":{}}}'])(
    'with a key that could change the prototype of objects name it: %s',
    async (payload) => {
      const { body } = await ask(STAFF, 'POST', E, { headers: json, payload });
      expect(body.detail).toMatch(/`__proto__`.*`constructor`/);
    },
  );

  it('in another encoding than UTF-8 are not stored with replaced letters', async () => {
    const payload = Buffer.from(JSON.stringify({ ...NEW, title: 'Kouzelný den' }), 'latin1');
    const answer = await ask(STAFF, 'POST', E, { headers: json, payload });
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed', detail: 'The body is not in UTF-8.' } });
  });

  it('that are compressed answer 415 that says so', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const answer = await ask(STAFF, 'POST', E, { headers, payload: gzipSync(JSON.stringify(NEW)) });
    expect(answer).toMatchObject({ status: 415, body: { detail: expect.stringContaining('`content-encoding`') } });
  });

  it.each(['null', '[]', '"x"', '7', '{"constructor":1}'])('%s answers 422', async (payload) => {
    expect((await ask(STAFF, 'POST', E, { headers: json, payload })).status).toBe(422);
  });

  it('of another kind than an object answer 422 that names the body', async () => {
    const { body } = await ask(STAFF, 'POST', E, { headers: json, payload: '[]' });
    expect(body.detail).toBe('The body must be an object');
  });

  it('above 256 KiB answer 413', async () => {
    const payload = JSON.stringify({ ...NEW, description: 'x'.repeat(256 * 1024) });
    expect(await ask(STAFF, 'POST', E, { headers: json, payload })).toMatchObject({
      status: 413,
      body: { code: 'too_large', detail: 'The body must have at most 262144 bytes.' },
    });
  });

  it('above the limit of their route answer 413 that names it', async () => {
    const payload = Buffer.alloc(20_000_001);
    const { body } = await ask(EVERYTHING, 'POST', '/api/v1/operations/roster/columns', { payload });
    expect(body).toMatchObject({ code: 'too_large', detail: 'The body must have at most 20000000 bytes.' });
  });
});

describe('a database that has been away for a while', async () => {
  const { ask } = await serveAnew({}, { isDatabaseAway: () => true });

  it.each([
    ['GET', `${E}/x`],
    ['GET', '/api/v1/public/schools/s1'],
    ['GET', '/api/v1/public/schools/s1/events'],
    ['GET', '/feeds/good-token.ics'],
    ['GET', '/files/x/plan.pdf'],
    ['GET', '/place/good-token'],
    ['POST', '/unsubscribe/good-token'],
    ['POST', '/callbacks/sms'],
    ['POST', '/callbacks/email'],
  ])('answers 503 immediately to %s %s, which needs it', async (method, url) => {
    expect(await ask(STAFF, method, url)).toMatchObject({ status: 503, body: { code: 'busy' } });
  });

  it.each(['/health/live', '/client-config', '/problems/busy', '/docs/json'])('answers %s without it', async (url) => {
    expect((await ask(null, 'GET', url)).status).toBe(200);
  });
});

describe('a failure', () => {
  it.each([
    ['a database', Object.assign(new Error('connect ECONNREFUSED'), { name: 'Unavailable' }), {}],
    [
      'a file storage',
      busy('There is no room left for files.', 60, new Error('connect ECONNREFUSED')),
      { detail: 'There is no room left for files.' },
    ],
  ])('of %s answers 503 and logs the cause, which the answer does not show', async (_, error, shown) => {
    const { answer, logged, requestId } = await failed(error);
    expect(answer).toMatchObject({ status: 503, body: { code: 'busy', ...shown } });
    expect(answer.text).not.toContain('ECONNREFUSED');
    const ids = { requestId, error: { message: 'connect ECONNREFUSED' } };
    expect(logged).toMatchObject({ level: 'warn', event: 'http.request.unavailable', ids });
  });

  it('of our own answers 500 without its message and logs it with the request id', async () => {
    const { answer, logged, requestId } = await failed(new TypeError('secret detail'));
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'internal', title: 'Something went wrong on our side' },
    });
    expect(answer.text).not.toContain('secret');
    expect(answer.body).not.toHaveProperty('stack');
    const ids = { requestId, stack: expect.stringMatching(/^\w*Error: /) };
    expect(logged).toMatchObject({ level: 'error', event: 'http.request.failed', ids });
    // The log takes a field of this name for an error and would show the type of its value.
    expect(logged?.ids).not.toHaveProperty('error');
  });
});
