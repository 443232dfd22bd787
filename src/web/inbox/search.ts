import { oneOf } from '../app/search.ts';

export const FOLDERS = ['all', 'unread', 'archive'] as const;
export type Folder = (typeof FOLDERS)[number];

/** The inbox's URL: the folder shown. */
type InboxSearch = { show?: Folder };

export const readInboxSearch = ({ show }: Record<string, unknown>): InboxSearch => ({ show: oneOf(FOLDERS, show) });
