/** The instant as calendar files write it: `20261016T160000Z`. */
export const utcStamp = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The date as calendar files write it: `20261016`. */
export const dateStamp = (date: string): string => date.replaceAll('-', '');
