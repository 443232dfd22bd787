import type { Clock } from '../core/clock.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import { newFileId } from './file-types.ts';
import type { FileStorage, FileStore, FileUse, ReceiveFile, StoredFile } from './ports.ts';

export type UploadDeps = { clock: Clock; files: FileStore; storage: FileStorage; receiveFile: ReceiveFile };

/**
 * Stores an uploaded file for the caller's school. A repeated upload is another file; one that is never used is removed
 * after a day.
 * @throws Refused `too_large`, `unsupported_media_type`, `busy`
 */
export async function uploadFile(
  { clock, files, storage, receiveFile }: UploadDeps,
  caller: Caller,
  { body, ...as }: { body: AsyncIterable<Uint8Array>; name: string; use: FileUse },
): Promise<StoredFile> {
  return receiveFile(body, as, async ({ bytes, name, mime_type }) => {
    const now = clock.now();
    const file = {
      ...scopeOf(caller),
      id: newFileId(),
      name,
      mime_type,
      size: bytes.byteLength,
      created_at: now,
      unused_at: now,
    };
    // The row first: a crash leaves no bytes that nothing knows of.
    await files.insert(file);
    await storage.put(file.id, bytes, mime_type);
    return file;
  });
}
