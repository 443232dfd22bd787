import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { Refused } from '../../core/errors.ts';
import { type Caller, ROLES, type Role } from '../../people/caller.ts';
import type { VerifyToken } from '../deps.ts';
import { keyOf } from './token.ts';

export type TokenSettings = { issuer: string; audience: string } & ({ secret: string } | { jwksUrl: string });

const KEPT_MS = 60_000;
const KEPT_TOKENS = 5_000;

/**
 * Tokens are verified with a fixed list of algorithms: HS256 for a secret, or EdDSA, ES256 and RS256 for the keys of an
 * identity provider; never both, so that a public key can't pass for a secret. A verified token is remembered for a
 * minute at most, and never past its end.
 */
export function tokenVerifier(settings: TokenSettings): VerifyToken {
  const verify = signatureCheck(settings);
  const kept = new Map<string, { caller: Caller; until: number }>();
  return async (token) => {
    const known = kept.get(token);
    if (known && known.until > Date.now()) return known.caller;
    kept.delete(token);
    const payload = await verify(token).catch((error) => {
      throw isOurs(error) ? new Refused({ code: 'busy', retryAfter: 5 }) : unauthenticated('the token is not valid');
    });
    const caller = callerOf(payload);
    if (kept.size >= KEPT_TOKENS) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    kept.set(token, { caller, until: Math.min(Date.now() + KEPT_MS, (payload.exp ?? 0) * 1000) });
    return caller;
  };
}

/** The token of `Authorization: Bearer …`. @throws Refused `unauthenticated` */
export function bearerOf(header: string | undefined): string {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header ?? '')?.[1];
  if (!token) throw unauthenticated('Authorization: Bearer and a token are needed');
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

// Keys that can't be fetched say nothing about the token: that is a 503, not a 401.
const isOurs = (error: unknown): boolean =>
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
  if (typeof value !== 'string' || value === '') throw unauthenticated(`the claim ${claim} must be a text`);
  return value;
}

function listOf(payload: JWTPayload, claim: string): string[] {
  const value = payload[claim] ?? [];
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) {
    throw unauthenticated(`the claim ${claim} must be a list of texts`);
  }
  return value;
}
