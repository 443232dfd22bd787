import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Sharp } from 'sharp';
import { Refused } from '../core/errors.ts';
import { createSemaphore } from '../core/priority.ts';
import { endingsFor, FILE_TYPES, nameFor, typeByName } from '../files/file-types.ts';
import type { FileContent, FileUse, ReceiveFile } from '../files/ports.ts';
import { unwritable } from './file-storage.ts';

/** Files in memory at a time; others wait on disk. */
const AT_ONCE = 2;

/** @param maxBytes the limit of a file */
export function fileReceiver(maxBytes: number): ReceiveFile {
  const limitFiles = createSemaphore(AT_ONCE);
  return async (body, as, store) => {
    const folder = await mkdtemp(join(tmpdir(), 'schoolbell-upload-')).catch(refuse);
    try {
      const path = join(folder, 'file');
      await pipeline(upTo(maxBytes, body), createWriteStream(path)).catch(refuse);
      return await limitFiles(async () => store(await readContent(await readFile(path), as)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

// Only errors of the disk name a system call; the others are those of the client.
function refuse(error: NodeJS.ErrnoException): never {
  throw error.syscall ? unwritable(error) : error;
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

/** Pixels of width and height that an image is scaled down to. */
const SIZES: Readonly<Record<FileUse, [width: number, height: number]>> = {
  attachment: [2560, 2560],
  banner: [1600, 1600],
  // Twice the size at which pages and messages show it.
  logo: [480, 120],
};

/** More than a camera of a phone takes. Beyond it, a small file could fill the memory with pixels. */
const MOST_PIXELS = 60_000_000;

/** The type that an image is stored as. A logo becomes PNG, since some mail programs show nothing newer. */
const ENCODED: Readonly<Record<string, 'jpeg' | 'png' | 'webp'>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'png',
  'image/webp': 'webp',
  'image/avif': 'webp',
};

/** Word, Excel and PowerPoint before 2007 share one container, and texts have no mark: their names tell them apart. */
const OLD_OFFICE = ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'];
const TEXTS = ['text/plain', 'text/csv'];

/** Finds the type by the content, and encodes images again. @throws Refused `unsupported_media_type` */
export async function readContent(
  bytes: Uint8Array,
  { name, use }: { name: string; use: FileUse },
): Promise<FileContent> {
  if (bytes.byteLength === 0) throw new Refused({ code: 'unsupported_media_type', detail: 'The file is empty.' });
  const found = await typeOf(bytes, name);
  if (found === null || !Object.hasOwn(FILE_TYPES, found)) throw refused(use);
  const image = ENCODED[found];
  if (!image) {
    if (use !== 'attachment') throw refused(use);
    return { bytes, name: nameFor(name, found), mime_type: found };
  }
  const format = use === 'logo' ? 'png' : image;
  const mime_type = `image/${format}`;
  return { bytes: await encode(bytes, format, SIZES[use]), name: nameFor(name, mime_type), mime_type };
}

async function typeOf(bytes: Uint8Array, name: string): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found?.mime === 'application/x-cfb') return typeByName(name, OLD_OFFICE);
  return found ? found.mime : isText(bytes) ? typeByName(name, TEXTS) : null;
}

/** Whether there are no control characters but tabs and ends of lines and pages. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b));

/**
 * The picture alone, turned upright: no place of the photo, no name of the camera, nothing appended.
 * @throws Refused if it cannot be decoded
 */
async function encode(bytes: Uint8Array, format: 'jpeg' | 'png' | 'webp', [width, height]: [number, number]) {
  // Loaded at the first upload: it takes memory that most processes never need.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image: Sharp = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
  return image
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toFormat(format, format === 'png' ? { compressionLevel: 9 } : { quality: 82 })
    .toBuffer()
    .catch(() => {
      throw new Refused({
        code: 'unsupported_media_type',
        detail: 'The image is damaged or has more than 60 million pixels.',
      });
    });
}

const refused = (use: FileUse): Refused =>
  new Refused({
    code: 'unsupported_media_type',
    detail: `Send one of these kinds of files: ${endingsFor(use).join(', ')}. The content counts, not the name.`,
  });
