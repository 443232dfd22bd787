/** A window as narrow as a phone. */
export const PHONE = '(max-width: 639px)';
