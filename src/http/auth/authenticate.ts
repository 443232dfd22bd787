import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { Refused } from '../../core/errors.ts';
import { type Caller, ROLES, type Role } from '../../people/caller.ts';
import type { VerifyToken } from '../deps.ts';
import { keyOf } from './token.ts';

export type TokenSettings = { issuer: string; audience: string } & ({ secret: string } | { jwksUrl: string });

const CACHE_MS = 60_000;
const CACHE_TOKENS = 5_000;

/**
 * Verifies tokens with a fixed list of algorithms: HS256 for a secret, or EdDSA, ES256 and RS256 for the keys of an
 * identity provider. Never both, so that no one can sign with a public key as the secret. A verified token is cached for
 * at most a minute and never beyond its expiry.
 */
export function tokenVerifier(settings: TokenSettings): VerifyToken {
  const verify = signatureCheck(settings);
  const cache = new Map<string, { caller: Caller; until: number }>();
  return async (token) => {
    const cached = cache.get(token);
    if (cached && cached.until > Date.now()) return cached.caller;
    cache.delete(token);
    const payload = await verify(token).catch((error) => {
      throw isKeyFetchError(error)
        ? new Refused({ code: 'busy', retryAfter: 5 })
        : unauthenticated('The token has expired or is not valid. Sign in again.');
    });
    const caller = callerOf(payload);
    if (cache.size >= CACHE_TOKENS) for (const oldest of cache.keys()) if (cache.delete(oldest)) break;
    cache.set(token, { caller, until: Math.min(Date.now() + CACHE_MS, (payload.exp ?? 0) * 1000) });
    return caller;
  };
}

/** The token of `Authorization: Bearer …`. @throws Refused `unauthenticated` */
export function bearerOf(header: string | undefined): string {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header ?? '')?.[1];
  if (!token) throw unauthenticated('The request has no token. Send `Authorization: Bearer` and your token.');
  return token;
}

const unauthenticated = (detail: string): Refused => new Refused({ code: 'unauthenticated', detail });

function signatureCheck(settings: TokenSettings): (token: string) => Promise<JWTPayload> {
  const { issuer, audience } = settings;
  const claims = { issuer, audience, requiredClaims: ['exp', 'sub'] };
  if ('secret' in settings) {
    const key = keyOf(settings.secret);
    return async (token) => (await jwtVerify(token, await key, { ...claims, algorithms: ['HS256'] })).payload;
  }
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), { timeoutDuration: 5_000 });
  const algorithms = ['EdDSA', 'ES256', 'RS256'];
  return async (token) => (await jwtVerify(token, keys, { ...claims, algorithms })).payload;
}

// If the keys can't be fetched, the token may be valid: answer 503, not 401.
const isKeyFetchError = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';

function callerOf(payload: JWTPayload): Caller {
  return {
    user_id: textOf(payload, 'sub'),
    tenant_id: textOf(payload, 'tenant_id'),
    school_id: textOf(payload, 'school_id'),
    roles: listOf(payload, 'roles').filter((role): role is Role => (ROLES as readonly string[]).includes(role)),
    permissions: listOf(payload, 'permissions'),
    class_ids: listOf(payload, 'class_ids'),
    grade_level_ids: listOf(payload, 'grade_level_ids'),
    department_ids: listOf(payload, 'department_ids'),
    children: listOf(payload, 'children'),
    ...(payload.exp === undefined ? {} : { expires_at: new Date(payload.exp * 1000) }),
  };
}

function textOf(payload: JWTPayload, claim: string): string {
  const value = payload[claim];
  if (typeof value !== 'string' || value === '')
    throw unauthenticated(`The claim \`${claim}\` of the token must be a text.`);
  return value;
}

function listOf(payload: JWTPayload, claim: string): string[] {
  const value = payload[claim] ?? [];
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) {
    throw unauthenticated(`The claim \`${claim}\` of the token must be a list of texts.`);
  }
  return value;
}
