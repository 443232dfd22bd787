import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStorage } from '../files/ports.ts';

/** Files in a folder. With several machines it must be a folder that they share. */
export function diskStorage(folder: string): FileStorage {
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
  return {
    async put(id, bytes) {
      const path = pathOf(id);
      await mkdir(dirname(path), { recursive: true });
      const unfinished = `${path}.${randomUUID()}`;
      const handle = await open(unfinished, 'wx', 0o640);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, path);
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
