import type { Clock } from '../core/clock.ts';
import type { FileStorage, FileStore, StoredFile } from './ports.ts';

type Deps = { clock: Clock; files: FileStore; storage: FileStorage };

const PAGE = 200;
const DAY_MS = 86_400_000;

/** Whether the file may be read: it is in use, or so new that the event that will use it is not saved yet. */
export async function isReadable({ clock, files }: Pick<Deps, 'clock' | 'files'>, file: StoredFile): Promise<boolean> {
  const isNew = clock.now().getTime() - file.created_at.getTime() < DAY_MS;
  return isNew || (await files.findUsed([file])).has(file.id);
}

/**
 * Removes files that have been unused for a day: never saved with an event, taken out of it, or of a deleted event. May
 * repeat any part, in any number of processes.
 * @returns how many, and the cursor for the next round; null after the last file
 */
export async function removeUnusedFiles(
  { clock, files, storage }: Deps,
  after: string | null,
): Promise<{ removed: number; next: string | null }> {
  const page = await files.findPage(after, PAGE);
  const used = await files.findUsed(page);
  const now = clock.now();
  const ids = (some: readonly StoredFile[]) => some.map(({ id }) => id);
  const unused = page.filter(({ id }) => !used.has(id));
  await files.setUnused(ids(page.filter(({ id, unused_at }) => used.has(id) && unused_at)), null);
  await files.setUnused(ids(unused.filter(({ unused_at }) => !unused_at)), now);
  const expired = unused.filter(({ unused_at }) => unused_at && now.getTime() - unused_at.getTime() >= DAY_MS);
  for (const { id } of expired) {
    // The bytes first: a crash leaves a row, and the next round tries again.
    await storage.remove(id);
    await files.remove(id);
  }
  return { removed: expired.length, next: page.length < PAGE ? null : (page.at(-1)?.id ?? null) };
}
