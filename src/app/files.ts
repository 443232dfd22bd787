import { randomUUID } from 'node:crypto';
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type DatabaseAge, parseAge, serializeAge } from '../core/restore-guard.ts';
import type { FileStorage } from '../files/ports.ts';
import { diskStorage, s3Storage } from '../storage/file-storage.ts';
import type { Config } from './config/config.ts';
import { BootRefused, type ProcessContext } from './process.ts';

/** @throws BootRefused if no file can be created in the folder of this setting */
async function refuseReadOnly(setting: 'EPOCH_FILE' | 'FILES_DIR', folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch(refuseSetting(setting, 'written'));
}

/** Opens the place of uploaded files: a bucket, or a folder. @throws BootRefused if FILES_DIR is used and can't be written */
export async function openFiles({ dir, s3 }: Config<'files'>['files']): Promise<FileStorage> {
  if (s3) return s3Storage(s3);
  await refuseReadOnly('FILES_DIR', await nearestFolder(dir));
  return diskStorage(dir);
}

/** The folder, or the one in which it will be created. */
const nearestFolder = (folder: string): Promise<string> =>
  access(folder).then(
    () => folder,
    ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' ? nearestFolder(dirname(folder)) : folder),
  );

/** For the error of a file or folder that a setting names. @throws BootRefused */
const refuseSetting =
  (setting: 'EPOCH_FILE' | 'FILES_DIR', can: 'read' | 'written') =>
  ({ message }: Error): never => {
    throw new BootRefused(`${setting} can’t be ${can}: ${message}`);
  };

/**
 * The age of the database in EPOCH_FILE. Replaces the whole file, because many processes may share it; in containers they may all
 * have the same pid. Logs once if it can't be written, and again only after it was.
 */
export function fileMemory(path: string, log?: Pick<ProcessContext['log'], 'warn'>) {
  const fresh = `${path}.${randomUUID()}`;
  let isWritten = true;
  return {
    read: async () => parseAge(await readFile(path, 'utf8').catch(nullIfMissing)),
    async write(age: DatabaseAge) {
      try {
        await writeFile(fresh, `${serializeAge(age)}\n`);
        await rename(fresh, path);
        isWritten = true;
      } catch (error) {
        // On a full disk the new file was created, but is empty.
        await rm(fresh, { force: true }).catch(() => {});
        if (isWritten) log?.warn({ why: (error as Error).message }, 'restore_guard.not_written');
        isWritten = false;
        throw error;
      }
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
