import type { Scope } from '../people/caller.ts';

/** An uploaded file. Anyone who knows its random id may read it, so the id is its key. */
export type StoredFile = Scope & {
  id: string;
  name: string;
  mime_type: string;
  /** bytes, after images were encoded again */
  size: number;
  created_at: Date;
  /** since when no event and no school uses the file, as last checked; null: in use */
  unused_at: Date | null;
};

export type FileStore = {
  insert(file: StoredFile): Promise<void>;
  find(id: string): Promise<StoredFile | null>;
  /** Files of all schools by id, strictly after `after`. */
  findPage(after: string | null, limit: number): Promise<StoredFile[]>;
  /** The ids of files that an event of their school, not deleted, or the school itself refers to. */
  findUsed(files: readonly StoredFile[]): Promise<ReadonlySet<string>>;
  setUnused(ids: readonly string[], unused_at: Date | null): Promise<void>;
  remove(id: string): Promise<void>;
};

/** The bytes of files: a disk, or a service that speaks S3. @throws Refused `busy` if the service does not answer, or the disk is full */
export type FileStorage = {
  put(id: string, bytes: Uint8Array, mime_type: string): Promise<void>;
  /** Null: there is no such file. */
  get(id: string): Promise<AsyncIterable<Uint8Array> | null>;
  remove(id: string): Promise<void>;
};

/** The use of a file, which decides how large an image may stay. */
export const FILE_USES = ['attachment', 'banner', 'logo'] as const;
export type FileUse = (typeof FILE_USES)[number];

export type FileContent = { bytes: Uint8Array; name: string; mime_type: string };

/**
 * Receives an uploaded body, checks its size and its type by its content, and encodes images again. Few files are in memory at a
 * time, each until it is stored.
 * @throws Refused `too_large`, `unsupported_media_type`
 */
export type ReceiveFile = <T>(
  body: AsyncIterable<Uint8Array>,
  as: { name: string; use: FileUse },
  store: (content: FileContent) => Promise<T>,
) => Promise<T>;
