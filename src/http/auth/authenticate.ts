import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { type Refusal, Refused } from '../../core/errors.ts';
import type { Caller } from '../../people/caller.ts';
import type { VerifyToken } from '../deps.ts';
import { type ClaimMapping, STANDARD_CLAIMS } from './claim-mapping.ts';
import { claimsOf, type Person, type PersonQuery, personToFind, refusedToken } from './claims.ts';
import { keyOf } from './token.ts';

type TokenSettings = { issuer: string; audience: string; claims?: ClaimMapping } & (
  | { secret: string }
  | { jwksUrl: string }
);

type TokenPorts = {
  /** The people who have this e-mail address and have not left. */
  findPeople?: (query: PersonQuery) => Promise<readonly Person[]>;
  /** Called with the reason if a token of the provider gives no access; never with the token. */
  onRefused?: (refusal: Refusal) => void;
};

const CACHE_MS = 60_000;
const CACHE_TOKENS = 5_000;
/** How soon an unknown key makes us fetch the keys again: providers use a new key at once if the old one was stolen. */
const KEYS_AGAIN_MS = 10_000;

/**
 * Verifies tokens with a fixed list of algorithms: HS256 for a secret, or EdDSA, ES256 and RS256 for the keys of an
 * identity provider. Never both, so that no one can sign with a public key as the secret. A verified token is cached for
 * at most a minute and never beyond its expiry.
 */
export function tokenVerifier(settings: TokenSettings, ports: TokenPorts = {}): VerifyToken {
  const { claims = STANDARD_CLAIMS } = settings;
  const { findPeople = async () => [], onRefused = () => {} } = ports;
  const verify = signatureCheck(settings);
  const cache = new Map<string, { caller: Caller; until: number }>();
  const read = async (token: string): Promise<{ caller: Caller; exp: number }> => {
    const payload = await verify(token).catch((error) => {
      throw refusalOf(error);
    });
    const wanted = personToFind(payload, claims);
    const caller = claimsOf(payload, claims, wanted ? await findPeople(wanted) : []);
    return { caller, exp: payload.exp ?? 0 };
  };
  return async (token) => {
    const cached = cache.get(token);
    if (cached && cached.until > Date.now()) return cached.caller;
    cache.delete(token);
    const { caller, exp } = await read(token).catch((error) => {
      if (error instanceof Refused && error.refusal.extra) onRefused(error.refusal);
      throw error;
    });
    if (cache.size >= CACHE_TOKENS) for (const oldest of cache.keys()) if (cache.delete(oldest)) break;
    cache.set(token, { caller, until: Math.min(Date.now() + CACHE_MS, exp * 1000) });
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
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: 5_000,
    cooldownDuration: KEYS_AGAIN_MS,
  });
  const algorithms = ['EdDSA', 'ES256', 'RS256'];
  return async (token) => (await jwtVerify(token, keys, { ...claims, algorithms })).payload;
}

/** The answer to a token that could not be verified. It names a claim only if the provider has signed it. */
function refusalOf(error: unknown): Refused {
  if (isKeyFetchError(error)) return new Refused({ code: 'busy', retryAfter: 5 });
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim } = error;
    return refusedToken('wrong_token', `The claim \`${claim}\` of the token is not what this service expects.`, claim);
  }
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return refusedToken('unreadable_token', 'The token is not a signed JWT.');
  return unauthenticated('The token has expired or is not valid. Sign in again.');
}

// If the keys can't be fetched, the token may be valid: answer 503, not 401.
const isKeyFetchError = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';
