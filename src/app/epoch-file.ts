import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseAge, serializeAge } from '../core/restore-guard.ts';
import { refuseReadOnly, refuseSetting } from './folders.ts';
import type { Memory } from './restore-guard.ts';

/** Replaces the whole file, because many processes may share it; in containers they may all have the same pid. */
export function fileMemory(path: string): Memory {
  const fresh = `${path}.${randomUUID()}`;
  return {
    read: async () => parseAge(await readFile(path, 'utf8').catch(nullIfMissing)),
    async write(age) {
      await writeFile(fresh, `${serializeAge(age)}\n`);
      await rename(fresh, path);
    },
  };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** @throws BootRefused if the file can't be read or replaced, because it would remember nothing */
export async function refuseUnusable(path: string): Promise<void> {
  await fileMemory(path).read().catch(refuseSetting('EPOCH_FILE', 'read'));
  await refuseReadOnly('EPOCH_FILE', dirname(path));
}
