import { webcrypto } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Caller } from '../../people/caller.ts';

/** Imports the secret as an HS256 key once. With raw bytes, jose would import it again for every token. */
export function keyOf(secret: string): Promise<webcrypto.CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < 32) throw new RangeError('JWT_SECRET must be at least 32 bytes long');
  return webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** Signs a token for the demo, for trials and for tests. In production, tokens come from the identity provider. */
export async function signToken(
  settings: { secret: string; issuer: string; audience: string; expiresInSeconds?: number },
  caller: Pick<Caller, 'user_id' | 'tenant_id' | 'school_id'> & Partial<Caller>,
): Promise<string> {
  const { user_id, ...claims } = caller;
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user_id)
    .setIssuer(settings.issuer)
    .setAudience(settings.audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + (settings.expiresInSeconds ?? 3600))
    .sign(await keyOf(settings.secret));
}
