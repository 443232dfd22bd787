import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFiles } from '../../src/app/files.ts';
import { newFileId } from '../../src/files/file-types.ts';
import type { FileStorage } from '../../src/files/ports.ts';
import { CONNECTION_LIMITS } from '../../src/http/connections.ts';
import { diskStorage, S3_TIMEOUT_MS, s3Storage } from '../../src/storage/file-storage.ts';
import { serve } from '../support/serve.ts';
import { startS3StandIn } from './s3-stand-in.ts';

const SECRET = 'the secret of the bucket';
const folder = mkdtempSync(join(tmpdir(), 'schoolbell-storage-'));
let s3: Awaited<ReturnType<typeof startS3StandIn>>;
beforeAll(async () => {
  s3 = await startS3StandIn(SECRET);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await s3.stop();
});

const bucket = (secretAccessKey: string): FileStorage =>
  s3Storage({ url: s3.url, bucket: 'school-files', region: 'eu-central-1', accessKeyId: 'key', secretAccessKey });

const OPEN: Record<string, () => FileStorage> = { disk: () => diskStorage(folder), S3: () => bucket(SECRET) };

describe.each(Object.entries(OPEN))('%s', (_name, open) => {
  test('returns the bytes that were stored, and none after they were removed', async () => {
    const [storage, id] = [open(), newFileId()];
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 256));
    await storage.put(id, bytes, 'application/pdf');
    const found = await storage.get(id);
    expect(found && (await buffer(found as never)).equals(bytes)).toBe(true);
    await storage.remove(id);
    await storage.remove(id);
    expect(await storage.get(id)).toBe(null);
  });

  test('replaces the bytes of the same id', async () => {
    const [storage, id] = [open(), newFileId()];
    await storage.put(id, Buffer.from('one'), 'text/plain');
    await storage.put(id, Buffer.from('two'), 'text/plain');
    expect(String(await buffer((await storage.get(id)) as never))).toBe('two');
  });
});

test('the disk keeps no unfinished file', async () => {
  const [own, id] = [join(folder, 'finished'), newFileId()];
  await diskStorage(own).put(id, Buffer.from('x'), 'text/plain');
  expect(readdirSync(join(own, id.slice(0, 2)))).toEqual([id]);
});

test('the disk creates its folder with the first file, not when it is opened', async () => {
  const [dir, id] = [join(folder, 'new', 'files'), newFileId()];
  const storage = await openFiles({ dir, maxBytes: 1, s3: null });
  expect(existsSync(dirname(dir))).toBe(false);
  await storage.put(id, Buffer.from('x'), 'text/plain');
  expect(readdirSync(dir)).toHaveLength(1);
});

test('a disk without its folder is busy, and names the cause to operators', async () => {
  await expect(diskStorage('/dev/null').put(newFileId(), Buffer.from('x'), 'text/plain')).rejects.toMatchObject({
    refusal: { code: 'busy' },
    cause: { code: 'ENOTDIR' },
  });
});

test('the disk removes the half of a file that a killed process left', async () => {
  const [own, id] = [join(folder, 'unfinished'), newFileId()];
  const path = join(own, id.slice(0, 2), id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'hal');
  await diskStorage(own).remove(id);
  expect(readdirSync(dirname(path))).toEqual([]);
});

test.each([
  ['that is full', '/dev/full', 'ENOSPC'],
  ['that takes no writes', '/proc/none', 'ENOENT'],
])('a disk %s is busy, names the cause to operators and keeps no part of the file', async (_, target, code) => {
  const [own, id] = [join(folder, code), newFileId()];
  const path = join(own, id.slice(0, 2), id);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  await expect(diskStorage(own).put(id, Buffer.from('x'), 'text/plain')).rejects.toMatchObject({
    refusal: { code: 'busy', detail: expect.stringContaining('can’t be stored') },
    cause: { code },
  });
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('S3 refuses a wrong secret, and the error says that the storage refused', async () => {
  await expect(bucket('another').put(newFileId(), Buffer.from('x'), 'text/plain')).rejects.toMatchObject({
    refusal: { code: 'busy', detail: expect.stringContaining('403') },
  });
});

test('S3 repeats a request that the service failed to answer', async () => {
  const [storage, id] = [bucket(SECRET), newFileId()];
  s3.state.fail = 1;
  await storage.put(id, Buffer.from('x'), 'image/png');
  expect(s3.objects.get(`/school-files/${id}`)).toMatchObject({ type: 'image/png' });
});

test('S3 that does not answer in time is busy, but the body of its answer takes as long as the reader', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = setInterval(runInNewContext('gc'), 20);
  let delayed = 'head';
  const url = await serve(async (_request, response) => {
    if (delayed === 'head') return;
    response.write('one ');
    setTimeout(() => response.end('two'), 300);
  });
  const account = { region: 'x', accessKeyId: 'key', secretAccessKey: SECRET };
  const slow = s3Storage({ url, bucket: 'school-files', ...account }, 500);
  await expect(slow.get(newFileId())).rejects.toMatchObject({ refusal: { code: 'busy' } });
  clearInterval(collectGarbage);
  delayed = 'body';
  expect(String(await buffer((await slow.get(newFileId())) as never))).toBe('one two');
});

test('S3 that hangs is given up before the API closes the connection of a client that waits', () => {
  expect(S3_TIMEOUT_MS + 5_000).toBeLessThan(CONNECTION_LIMITS.idleMs);
});

test('S3 that cannot be reached is busy', async () => {
  const account = { region: 'x', accessKeyId: 'key', secretAccessKey: SECRET };
  const away = s3Storage({ url: 'http://127.0.0.1:9', bucket: 'school-files', ...account });
  await expect(away.get(newFileId())).rejects.toMatchObject({ refusal: { code: 'busy' }, cause: expect.any(Error) });
});
