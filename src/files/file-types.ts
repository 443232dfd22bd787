import { randomBytes } from 'node:crypto';
import { cut } from '../core/plain-text.ts';
import type { FileUse } from './ports.ts';

/** The types of files that may be uploaded, with the endings of their names; the first one is added to other names. */
export const FILE_TYPES: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/rtf': ['rtf'],
  'text/plain': ['txt'],
  'text/csv': ['csv'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
};

const FILE_ENDINGS: readonly string[] = Object.values(FILE_TYPES).flat();

/** The endings of names of files for this use: banners and logos are images. */
export const endingsFor = (use: FileUse): string[] =>
  Object.entries(FILE_TYPES).flatMap(([type, endings]) =>
    use === 'attachment' || type.startsWith('image/') ? endings : [],
  );

const NAME_MAX = 150;

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The type whose names end like this one, of some types. */
export const typeByName = (name: string, types: readonly string[]): string | null =>
  types.find((type) => FILE_TYPES[type]?.includes(endingOf(name))) ?? null;

/** A name that fits the type: without a path and control characters, of at most 150 characters, with an ending of the type. */
export function nameFor(name: string, mime_type: string): string {
  const endings = FILE_TYPES[mime_type] ?? [];
  const bare = (name.split(/[/\\]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  const stem = FILE_ENDINGS.includes(endingOf(bare)) ? bare.slice(0, -endingOf(bare).length - 1) : bare;
  const ending = endings.includes(endingOf(bare)) ? endingOf(bare) : endings[0];
  return `${cut(stem, NAME_MAX, '') || 'file'}.${ending}`;
}

/** An id that no one can guess, because links, pictures and calendar programs send no token when they ask for a file. */
export const newFileId = (): string => randomBytes(24).toString('hex');

export const fileAddress = (publicUrl: string, { id, name }: { id: string; name: string }): string =>
  `${publicUrl}/files/${id}/${encodeURIComponent(name)}`;

/** A regular expression with the id of an uploaded file in its address. */
export const FILE_ADDRESS = '/files/([0-9a-f]{48})/';
const ID = new RegExp(FILE_ADDRESS);

/** The ids of our files among web addresses. The host is not compared, since PUBLIC_URL may change. */
export const fileIdsIn = (addresses: readonly (string | null | undefined)[]): string[] => [
  ...new Set(addresses.flatMap((address) => ID.exec(address ?? '')?.[1] ?? [])),
];
