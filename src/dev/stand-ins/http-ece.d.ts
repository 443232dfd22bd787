declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Decrypts one message of RFC 8188; throws when it was not made for these keys. */
  export function decrypt(body: Buffer, params: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer;
}
