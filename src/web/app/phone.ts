/** Media query for a window as narrow as a phone. */
export const PHONE = '(max-width: 639px)';
