import { importJWK, jwtVerify } from 'jose';

const LONGEST_VALIDITY_SECONDS = 24 * 60 * 60;

export type VapidCheck = { publicKey: string } | { status: 401 | 403; reason: string };

/**
 * Checks an `Authorization: vapid t=…, k=…` header as RFC 8292 asks of a push service: an ES256 token signed by key k,
 * for this origin, not expired and not valid for more than a day, with a contact as subject.
 */
export async function checkVapid(authorization: string | undefined, origin: string): Promise<VapidCheck> {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'vapid') return { status: 401, reason: 'no vapid authorization' };
  const parts = Object.fromEntries(rest.split(',').map((part) => part.trim().split(/=(.*)/, 2)));
  const { t: token, k: publicKey } = parts as { t?: string; k?: string };
  if (!token || !publicKey) return { status: 401, reason: 't or k is missing' };

  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return { status: 403, reason: 'k is no uncompressed P-256 point' };
  try {
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      audience: origin,
      requiredClaims: ['exp', 'sub'],
    });
    if ((payload.exp ?? 0) > Date.now() / 1000 + LONGEST_VALIDITY_SECONDS + 60) {
      return { status: 403, reason: 'exp is more than a day away' };
    }
    if (!/^(mailto:|https:)/.test(payload.sub ?? '')) return { status: 403, reason: 'sub is no contact' };
  } catch (error) {
    return { status: 403, reason: (error as Error).message };
  }
  return { publicKey };
}
