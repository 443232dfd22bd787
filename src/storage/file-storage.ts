import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { busy } from '../core/errors.ts';
import type { FileStorage } from '../files/ports.ts';

/** Files in a folder. With several machines it must be a folder that they share. */
export function diskStorage(folder: string): FileStorage {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
  return {
    async put(id, bytes) {
      const path = pathOf(id);
      try {
        await mkdir(dirname(path), { recursive: true });
        // No one knows the id yet, so no one can read half of the file.
        await writeFile(path, bytes, { mode: 0o640, flush: true });
      } catch (error) {
        // The same disk may also refuse to remove the file.
        await rm(path, { force: true }).catch(() => {});
        throw unwritable(error);
      }
    },
    async get(id) {
      try {
        return (await open(pathOf(id))).createReadStream();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}

/** The refusal of a file that a disk does not take. */
export const unwritable = (error: unknown) =>
  busy('Files can’t be stored now. Tell the people who run Schoolbell.', 60, error);

type S3Settings = { url: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string };

/** Less than the minute without a byte after which the API, like most proxies, closes the connection of the client. */
export const S3_TIMEOUT_MS = 50_000;
const RETRIES = 2;
const RETRY_MS = 100;

/** Files as objects of a bucket, at path-style addresses, which every service that speaks S3 understands. */
export function s3Storage({ url, bucket, ...account }: S3Settings, timeoutMs = S3_TIMEOUT_MS): FileStorage {
  const client = new AwsClient({ ...account, service: 's3' });
  // Not by the client, which puts the signal into a `Request`: there Node loses it when it collects garbage.
  const fetchSigned = async (address: string, request: RequestInit, signal: AbortSignal): Promise<Response> => {
    for (let left = RETRIES; ; left -= 1) {
      // biome-ignore lint/style/noRestrictedGlobals: the address is a setting of the operator
      const answer = await fetch(await client.sign(address, request), { signal });
      if (left === 0 || answer.status < 500) return answer;
      await answer.body?.cancel();
      await delay(RETRY_MS);
    }
  };
  const ask = async (id: string, request: RequestInit, accepted: readonly number[]): Promise<Response> => {
    const late = new AbortController();
    // The time limit ends when the response begins: a slow reader of a file may take longer over its body.
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const answer = await fetchSigned(`${url}/${bucket}/${id}`, request, late.signal)
      .catch((error: unknown) => {
        // The error of fetch only wraps what happened.
        throw busy('The file storage does not answer. Try again later.', 10, (error as Error).cause ?? error);
      })
      .finally(() => clearTimeout(timer));
    if (accepted.includes(answer.status)) return answer;
    await answer.body?.cancel();
    throw busy(
      `The file storage answered ${answer.status}. Try again later.`,
      10,
      new Error(`S3 answered ${answer.status}`),
    );
  };
  return {
    async put(id, bytes, mime_type) {
      // The type of a body excludes shared memory.
      const body = bytes as Uint8Array<ArrayBuffer>;
      await ask(id, { method: 'PUT', body, headers: { 'content-type': mime_type } }, [200, 201, 204]);
    },
    async get(id) {
      const answer = await ask(id, { method: 'GET' }, [200, 404]);
      if (answer.status === 200 && answer.body) return answer.body;
      await answer.body?.cancel();
      return null;
    },
    async remove(id) {
      await (await ask(id, { method: 'DELETE' }, [200, 204, 404])).body?.cancel();
    },
  };
}
