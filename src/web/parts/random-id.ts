/** 32 random hexadecimal digits. Browsers offer `randomUUID` only with https. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
