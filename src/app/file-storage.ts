import type { FileStorage } from '../files/ports.ts';
import { diskStorage } from '../storage/disk.ts';
import { s3Storage } from '../storage/s3.ts';
import type { Config } from './config/config.ts';

/** The place of uploaded files: a bucket if one is set, else a folder. */
export const openFileStorage = ({ files: { dir, s3 } }: Pick<Config<'files'>, 'files'>): FileStorage =>
  s3 ? s3Storage(s3) : diskStorage(dir);
