import { randomBytes } from 'node:crypto';

/** An unguessable id: links in messages, pictures in pages and calendar programs show no token. */
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
