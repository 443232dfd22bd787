export const SHELVES = ['all', 'unread', 'archive'] as const;
export type Shelf = (typeof SHELVES)[number];

/** What the address of the inbox holds: which messages are shown. */
export type InboxSearch = { show?: Exclude<Shelf, 'all'> };

export const readInboxSearch = ({ show }: Record<string, unknown>): InboxSearch =>
  show === 'unread' || show === 'archive' ? { show } : {};
