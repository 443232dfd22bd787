import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileStorage } from '../files/ports.ts';
import { openFileStorage } from '../storage/file-storage.ts';
import type { Config } from './config/config.ts';
import { BootRefused } from './process.ts';

/** @throws BootRefused if no file can be created in the folder of this setting */
export async function refuseReadOnly(setting: 'EPOCH_FILE' | 'FILES_DIR', folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch(refuseSetting(setting, 'written'));
}

/** Opens the place of uploaded files. @throws BootRefused if FILES_DIR is used and can't be written */
export async function openFiles({ dir, s3 }: Config<'files'>['files']): Promise<FileStorage> {
  if (s3 === null) await refuseReadOnly('FILES_DIR', await nearestFolder(dir));
  return openFileStorage({ dir, s3 });
}

/** The folder, or the one in which it will be created. */
const nearestFolder = (folder: string): Promise<string> =>
  access(folder).then(
    () => folder,
    ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' ? nearestFolder(dirname(folder)) : folder),
  );

/** For the error of a file or folder that a setting names. @throws BootRefused */
export const refuseSetting =
  (setting: 'EPOCH_FILE' | 'FILES_DIR', can: 'read' | 'written') =>
  ({ message }: Error): never => {
    throw new BootRefused(`${setting} can’t be ${can}: ${message}`);
  };
