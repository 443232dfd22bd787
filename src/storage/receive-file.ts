import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Refused } from '../core/errors.ts';
import { createPrioritySemaphore } from '../core/priority.ts';
import type { ReceiveFile } from '../files/ports.ts';
import { readContent } from './content.ts';

/** Files in memory at a time; others wait on disk. */
const AT_ONCE = 2;

/** @param maxBytes the limit of a file */
export function fileReceiver(maxBytes: number): ReceiveFile {
  const places = createPrioritySemaphore(AT_ONCE);
  return async (body, as) => {
    const folder = await mkdtemp(join(tmpdir(), 'schoolbell-upload-'));
    try {
      const path = join(folder, 'file');
      await pipeline(upTo(maxBytes, body), createWriteStream(path));
      await places.acquire(1, true);
      try {
        return await readContent(await readFile(path), as);
      } finally {
        places.release(1, true);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function* upTo(maxBytes: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      const detail = `The file is larger than ${maxBytes / 1_000_000} MB.`;
      throw new Refused({ code: 'too_large', detail, extra: { max_bytes: maxBytes } });
    }
    yield chunk;
  }
}
