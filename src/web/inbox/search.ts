export const FOLDERS = ['all', 'unread', 'archive'] as const;
export type Folder = (typeof FOLDERS)[number];

/** The inbox's URL: the folder shown. */
export type InboxSearch = { show?: Exclude<Folder, 'all'> };

export const readInboxSearch = ({ show }: Record<string, unknown>): InboxSearch =>
  show === 'unread' || show === 'archive' ? { show } : {};
