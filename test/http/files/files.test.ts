import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { removeUnusedFiles } from '../../../src/files/remove-unused.ts';
import { callerOf, E, EVERYTHING, PARENT, provideHttp, STAFF } from '../../support/http/http-app.ts';

const { ask, deps, logged, now } = await provideHttp();

const FILES = '/api/v1/operations/files';
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF');
const PNG = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
  .png()
  .toBuffer();
const DAY_MS = 86_400_000;

const upload = (name: string, payload: Buffer, { as = STAFF, use = '' } = {}) =>
  ask(as, 'POST', `${FILES}?name=${encodeURIComponent(name)}${use && `&use=${use}`}`, {
    payload,
    headers: { 'content-type': 'application/octet-stream' },
  });

const pathOf = (url: string): string => new URL(url).pathname;

/** Sweeps, as the clock worker does many times a day. @returns how many files the last sweep, a day later, removed */
async function sweepNextDay(): Promise<number> {
  const sweep = async () => (await removeUnusedFiles(deps, null)).removed;
  await sweep();
  now.at = new Date(now.at.getTime() + DAY_MS / 2);
  await sweep();
  now.at = new Date(now.at.getTime() + DAY_MS / 2);
  return sweep();
}

const OTHER_SCHOOL = { ...STAFF, school_id: 's2' };
const TRIP = { title: 'Trip', event_type: 'field_trip', start_date: '2026-10-16', end_date: '2026-10-16' };
const tripWith = (attachment: object) => ({ ...TRIP, attachments: [attachment] });

const create = async (fields: object): Promise<string> =>
  (await ask(STAFF, 'POST', E, { payload: { ...TRIP, ...fields } })).body.id;

describe('an upload', () => {
  it('answers with an attachment that an event takes as it is, and that anyone with the address can read', async () => {
    const { status, body, headers } = await upload('Program výletu.pdf', PDF);
    expect(status).toBe(201);
    expect(body).toEqual({
      name: 'Program výletu.pdf',
      url: expect.stringMatching(/^https:\/\/school\.test\/files\/[0-9a-f]{48}\/Program%20v%C3%BDletu\.pdf$/),
      mime_type: 'application/pdf',
      size: PDF.length,
    });
    expect(headers.location).toBe(body.url);
    const id = await create({ attachments: [body] });
    expect((await ask(STAFF, 'GET', `${E}/${id}`)).body.attachments).toEqual([body]);
    const read = await ask(null, 'GET', pathOf(body.url));
    expect(read.text).toBe(String(PDF));
    expect(read.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''Program%20v%C3%BDletu.pdf",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    });
  });

  it('shows an image in the page', async () => {
    const { body } = await upload('banner.png', PNG, { use: 'banner' });
    const { headers } = await ask(null, 'GET', pathOf(body.url));
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(body.size) });
    expect(headers['content-disposition']).toMatch(/^inline;/);
  });

  it.each<[string, string, Buffer, object, number, string]>([
    ['another type', 'run.exe', Buffer.from('MZ\u0000\u0001'), {}, 415, 'unsupported_media_type'],
    ['a file above the limit', 'a.txt', Buffer.alloc(200_001, 'a'), {}, 413, 'too_large'],
    ['a caller without the permission', 'a.pdf', PDF, { as: PARENT }, 403, 'forbidden'],
    ['an unknown use', 'a.pdf', PDF, { use: 'virus' }, 422, 'validation_failed'],
  ])('refuses %s', async (_what, name, bytes, more, status, code) => {
    expect(await upload(name, bytes, more)).toMatchObject({ status, body: { code } });
  });

  it('gets 503 while the folder of temporary files can’t be written', async () => {
    vi.stubEnv('TMPDIR', '/dev/null');
    onTestFinished(() => void vi.unstubAllEnvs());
    const refused = await upload('a.pdf', PDF);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '60' }, body: { code: 'busy' } });
    const line = logged.find(({ event }) => event === 'http.request.unavailable');
    expect(line).toMatchObject({ level: 'warn', ids: { error: { code: 'ENOTDIR' } } });
  });

  it.each([
    ['a file', `${FILES}?name=list.csv`],
    ['people', '/api/v1/operations/roster/import'],
  ])('refuses %s in a form, whose lines would become part of it', async (_what, url) => {
    const payload = Buffer.from('--line\r\ncontent-disposition: form-data; name="file"\r\n\r\nname\r\n--line--\r\n');
    const headers = { 'content-type': 'multipart/form-data; boundary=line' };
    expect(await ask(EVERYTHING, 'POST', url, { payload, headers })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', detail: expect.stringContaining('not a form') },
    });
  });

  it.each([
    ['a file', `${FILES}?name=list.csv`],
    ['people', '/api/v1/operations/roster/import'],
  ])('refuses %s with a content-encoding, and says so', async (_what, url) => {
    const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
    expect(await ask(EVERYTHING, 'POST', url, { payload: gzipSync('name\nJan\n'), headers })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', detail: expect.stringContaining('content-encoding') },
    });
  });

  it('shortens a long name without leaving half an emoji', async () => {
    const { status, body } = await upload(`${'a'.repeat(149)}😀.pdf`, PDF);
    expect([status, body.name]).toEqual([201, `${'a'.repeat(149)}.pdf`]);
  });

  it('can be the logo of the school', async () => {
    const { body } = await upload('logo.png', PNG, { use: 'logo', as: EVERYTHING });
    const school = { name: 'Lipová', timezone: 'UTC', locale: 'cs', logo_url: body.url };
    const URL = '/api/v1/operations/school';
    const other = { ...EVERYTHING, school_id: 's2' };
    expect((await ask(other, 'PUT', URL, { payload: { ...school, logo_url: null } })).status).toBe(200);
    expect(await ask(EVERYTHING, 'PUT', URL, { payload: school })).toMatchObject({ status: 200 });
    const elsewhere = { ...school, logo_url: 'http://elsewhere.example/logo.png' };
    expect(await ask(EVERYTHING, 'PUT', URL, { payload: elsewhere })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/logo_url', rule: 'uri' }] },
    });
    expect(await sweepNextDay()).toBe(0);
    expect((await ask(null, 'GET', pathOf(body.url))).status).toBe(200);
  });
});

describe('a file', () => {
  it('is not found under a guessed or shortened id', async () => {
    const { body } = await upload('a.pdf', PDF);
    for (const id of ['0'.repeat(48), pathOf(body.url).split('/')[2]?.slice(0, 40), '..%2f..%2fetc'])
      expect((await ask(null, 'GET', `/files/${id}/a.pdf`)).status).toBe(404);
  });

  it('that nothing uses is removed after a day', async () => {
    const { body } = await upload('a.pdf', PDF);
    expect(await sweepNextDay()).toBe(1);
    expect((await ask(null, 'GET', pathOf(body.url))).status).toBe(404);
    expect(await deps.storage.get(pathOf(body.url).split('/')[2] ?? '')).toBe(null);
    expect(await sweepNextDay()).toBe(0);
  });

  it('is looked at in pages, of which each continues after the one before', async () => {
    const { tenant_id, school_id } = callerOf(STAFF);
    const ids = Array.from({ length: 201 }, (_, n) => `file-${1_000 + n}`);
    const file = { tenant_id, school_id, name: 'a.pdf', mime_type: 'application/pdf', size: 1 };
    for (const id of ids) await deps.files.insert({ ...file, id, created_at: now.at, unused_at: now.at });
    const first = await removeUnusedFiles(deps, null);
    expect(first).toEqual({ removed: 0, next: ids.at(199) });
    expect(await removeUnusedFiles(deps, first.next)).toEqual({ removed: 0, next: null });
  });

  it('stays while one of two events uses it, and goes with the last', async () => {
    const { body } = await upload('a.pdf', PDF);
    const first = await create({ attachments: [body] });
    const copy = await ask(STAFF, 'POST', `${E}/${first}/duplicate`, { payload: {} });
    const remove = (id: string) => ask(EVERYTHING, 'DELETE', `${E}/${id}`);
    expect((await remove(first)).status).toBe(204);
    expect(await sweepNextDay()).toBe(0);
    expect((await ask(null, 'GET', pathOf(body.url))).status).toBe(200);
    expect((await remove(copy.body.id)).status).toBe(204);
    expect((await ask(null, 'GET', pathOf(body.url))).status).toBe(404);
    expect(await sweepNextDay()).toBe(1);
  });

  it('that is taken out of an event and put back within a day stays', async () => {
    const { body } = await upload('a.pdf', PDF);
    const id = await create({ banner_url: null, attachments: [body] });
    const attach = (attachments: object[]) => ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { attachments } });
    await sweepNextDay();
    await attach([]);
    await removeUnusedFiles(deps, null);
    await attach([body]);
    expect(await sweepNextDay()).toBe(0);
    expect((await ask(null, 'GET', pathOf(body.url))).status).toBe(200);
  });

  it('is not kept by an event or a template of another school', async () => {
    const { body } = await upload('a.pdf', PDF);
    const { body: event } = await ask(OTHER_SCHOOL, 'POST', E, { payload: tripWith(body) });
    const { status } = await ask(OTHER_SCHOOL, 'POST', `${E}/${event.id}/template`, { payload: { name: 'Trip' } });
    expect(status).toBe(201);
    expect(await sweepNextDay()).toBe(1);
  });

  it('stays while its own school uses it, also beside files of other schools', async () => {
    for (const as of [STAFF, OTHER_SCHOOL]) {
      const { body } = await upload('a.pdf', PDF, { as });
      expect((await ask(as, 'POST', E, { payload: tripWith(body) })).status).toBe(201);
    }
    expect(await sweepNextDay()).toBe(0);
  });
});
