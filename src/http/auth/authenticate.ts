import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../core/clock.ts';
import { type Refusal, Refused } from '../../core/errors.ts';
import { keepLatest } from '../../core/groups.ts';
import { type Caller, ROLES, type Role } from '../../people/caller.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import type { VerifyToken } from '../deps.ts';
import {
  type ClaimMapping,
  type ClaimPath,
  type ClaimRule,
  type ListClaim,
  STANDARD_CLAIMS,
  type TextClaim,
} from './claim-mapping.ts';
import { keyOf } from './token.ts';

type TokenSettings = { issuer: string; audience: string; claims?: ClaimMapping } & (
  | { secret: string }
  | { jwksUrl: string }
);

type TokenPorts = {
  /** by default the clock of this machine */
  clock?: Clock;
  /** The people who have this e-mail address and have not left. */
  findPeople?: (query: PersonQuery) => Promise<readonly Person[]>;
  /** Called with the reason if a token of the provider gives no access; never with the token. */
  onRefused?: (refusal: Refusal) => void;
};

/** How far the clock of the provider may be ahead of ours, as between our processes. */
const CLOCKS_APART_S = 5;
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
  const { clock = { now: () => new Date() }, findPeople = async () => [], onRefused = () => {} } = ports;
  const verify = signatureCheck(settings, clock);
  const cache = new Map<string, { caller: Caller; until: number }>();
  const read = async (token: string): Promise<{ caller: Caller; exp: number }> => {
    const payload = await verify(token).catch((error) => {
      throw refusalOf(error);
    });
    const { exp = 0 } = payload;
    // The tolerance is for the start of a token.
    if (exp * 1000 <= clock.now().getTime()) throw unauthenticated(EXPIRED);
    const wanted = personToFind(payload, claims);
    const caller = claimsOf(payload, claims, wanted ? await findPeople(wanted) : []);
    return { caller, exp };
  };
  return async (token) => {
    const cached = cache.get(token);
    if (cached && cached.until > clock.now().getTime()) return cached.caller;
    const { caller, exp } = await read(token).catch((error) => {
      if (error instanceof Refused && error.refusal.extra) onRefused(error.refusal);
      throw error;
    });
    keepLatest(cache, token, { caller, until: Math.min(clock.now().getTime() + CACHE_MS, exp * 1000) }, CACHE_TOKENS);
    return caller;
  };
}

/** The token of `Authorization: Bearer …`. @throws Refused `unauthenticated` */
export function bearerOf(header: string | undefined): string {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header ?? '')?.[1];
  if (!token) throw unauthenticated('The request has no token. Send `Authorization: Bearer` and your token.');
  return token;
}

const EXPIRED = 'The token has expired or is not valid. Sign in again.';

const unauthenticated = (detail: string): Refused => new Refused({ code: 'unauthenticated', detail });

function signatureCheck(settings: TokenSettings, clock: Clock): (token: string) => Promise<JWTPayload> {
  const { issuer, audience } = settings;
  const required = { issuer, audience, requiredClaims: ['exp', 'sub'], clockTolerance: CLOCKS_APART_S };
  const claims = () => ({ ...required, currentDate: clock.now() });
  if ('secret' in settings) {
    const key = keyOf(settings.secret);
    return async (token) => (await jwtVerify(token, await key, { ...claims(), algorithms: ['HS256'] })).payload;
  }
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: 5_000,
    cooldownDuration: KEYS_AGAIN_MS,
  });
  const algorithms = ['EdDSA', 'ES256', 'RS256'];
  return async (token) => (await jwtVerify(token, keys, { ...claims(), algorithms })).payload;
}

/** The response to a token that could not be verified. It names a claim only if the provider has signed it. */
function refusalOf(error: unknown): Refused {
  if (isKeyFetchError(error)) return new Refused({ code: 'busy', retryAfter: 5 });
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (reason === 'missing') return missingClaim(claim);
    return refusedToken('wrong_token', `The claim \`${claim}\` of the token is not what this service expects.`, claim);
  }
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return refusedToken('unreadable_token', 'The token is not a signed JWT.');
  return unauthenticated(EXPIRED);
}

// If the keys can't be fetched, the token may be valid: answer 503, not 401.
const isKeyFetchError = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';

/** Why a token gives no access: stable codes that the client translates. */
export const TOKEN_FAULTS = [
  'unreadable_token',
  'wrong_token',
  'missing_claim',
  'invalid_claim',
  'unmapped_claim',
  'wrong_organization',
  'unverified_email',
  'unknown_person',
  'several_people',
] as const;

/** The refusal of a token; `claim` is the claim of the token that it is about. */
const refusedToken = (reason: (typeof TOKEN_FAULTS)[number], detail: string, claim?: string): Refused =>
  new Refused({ code: 'unauthenticated', detail, extra: { reason, ...(claim ? { claim } : {}) } });

const missingClaim = (claim: string): Refused =>
  refusedToken('missing_claim', `The token has no claim \`${claim}\`.`, claim);

/** A person of the directory whom a token may stand for. */
export type Person = Pick<
  Contact,
  'user_id' | 'school_id' | 'roles' | 'class_ids' | 'grade_level_ids' | 'department_ids'
>;

/** Whom a token stands for: a person of a tenant, or of one of its schools. `address` as `sameAddressForm` gives it. */
type PersonQuery = { tenant_id: string; school_id: string | null; address: string };

/**
 * The caller whom a verified token names. Claims that the mapping leaves to the directory come from `found`, the people
 * who have the e-mail address of the token.
 * @throws Refused `unauthenticated` with `reason` and `claim`
 */
export function claimsOf(payload: JWTPayload, mapping: ClaimMapping, found: readonly Person[] = []): Caller {
  checkRequired(payload, mapping);
  const person = mapping.email ? onlyOne(found, nameOf(mapping.email)) : null;
  const text = (claim: TextClaim) => textOf(payload, claim, mapping.claims[claim]);
  const list = (claim: ListClaim) => listOf(payload, mapping.claims[claim]);
  const roles = person?.roles ?? list('roles').filter(isRole);
  const ofRoles = roles.flatMap((role) => mapping.rolePermissions.get(role) ?? []);
  return {
    user_id: person?.user_id ?? text('user_id'),
    tenant_id: text('tenant_id'),
    school_id: person?.school_id ?? text('school_id'),
    roles,
    permissions: [...new Set([...list('permissions'), ...ofRoles])],
    class_ids: person?.class_ids ?? list('class_ids'),
    grade_level_ids: person?.grade_level_ids ?? list('grade_level_ids'),
    department_ids: person?.department_ids ?? list('department_ids'),
    children: person ? [] : list('children'),
    ...(payload.exp === undefined ? {} : { expires_at: new Date(payload.exp * 1000) }),
  };
}

/** Whom to look up in the directory. Null: the token has all claims. @throws Refused if the address is not verified */
export function personToFind(payload: JWTPayload, mapping: ClaimMapping): PersonQuery | null {
  const { email, claims, namesSchool } = mapping;
  if (!email) return null;
  const address = textOf(payload, 'email', { path: email, map: null });
  // Some providers let people enter any address, and send this claim as a text.
  if (String(payload.email_verified) !== 'true') {
    const detail = 'Your sign-in service has not verified your e-mail address.';
    throw refusedToken('unverified_email', detail, 'email_verified');
  }
  return {
    tenant_id: textOf(payload, 'tenant_id', claims.tenant_id),
    school_id: namesSchool ? textOf(payload, 'school_id', claims.school_id) : null,
    address: sameAddressForm(address),
  };
}

function checkRequired(payload: JWTPayload, { require: required }: ClaimMapping): void {
  for (const { path, values } of required) {
    const value = valueAt(payload, path);
    if (typeof value === 'string' && values.includes(value)) continue;
    const name = nameOf(path);
    throw refusedToken(
      'wrong_organization',
      `The claim \`${name}\` of the token has a value that is not accepted.`,
      name,
    );
  }
}

function onlyOne(found: readonly Person[], claim: string): Person {
  const [person, ...others] = found;
  if (!person) throw refusedToken('unknown_person', 'The directory has no one with your e-mail address.', claim);
  if (others.length === 0) return person;
  throw refusedToken('several_people', 'Several people in the directory have your e-mail address.', claim);
}

function textOf(payload: JWTPayload, claim: string, rule: ClaimRule): string {
  if ('values' in rule) return rule.values[0] ?? '';
  const value = valueAt(payload, rule.path);
  const name = nameOf(rule.path);
  if (value === undefined) throw missingClaim(name);
  if (typeof value !== 'string' || value === '')
    throw refusedToken('invalid_claim', `The claim \`${name}\` of the token must be a text.`, name);
  const mapped = rule.map ? rule.map.get(value)?.[0] : value;
  if (mapped !== undefined) return mapped;
  throw refusedToken('unmapped_claim', `No ${claim} belongs to the value of the claim \`${name}\`.`, name);
}

/** A list may be missing. With a map, a single text counts as a list of one. */
function listOf(payload: JWTPayload, rule: ClaimRule): string[] {
  if ('values' in rule) return [...rule.values];
  const { path, map } = rule;
  const value = valueAt(payload, path) ?? [];
  const list: unknown[] | null = Array.isArray(value) ? value : map && typeof value === 'string' ? [value] : null;
  if (!list?.every((entry) => typeof entry === 'string')) {
    const name = nameOf(path);
    throw refusedToken('invalid_claim', `The claim \`${name}\` of the token must be a list of texts.`, name);
  }
  return map ? list.flatMap((entry) => map.get(entry) ?? []) : list;
}

/** The value at a path, through own properties only. */
function valueAt(payload: JWTPayload, path: ClaimPath): unknown {
  let value: unknown = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const nameOf = (path: ClaimPath): string => path.join('.');
const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);
