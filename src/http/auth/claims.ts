import type { JWTPayload } from 'jose';
import { Refused } from '../../core/errors.ts';
import { type Caller, ROLES, type Role } from '../../people/caller.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import type { ClaimMapping, ClaimPath, ClaimRule, ListClaim, TextClaim } from './claim-mapping.ts';

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
type TokenFault = (typeof TOKEN_FAULTS)[number];

/** The refusal of a token; `claim` is the claim of the token that it is about. */
export const refusedToken = (reason: TokenFault, detail: string, claim?: string): Refused =>
  new Refused({ code: 'unauthenticated', detail, extra: { reason, ...(claim ? { claim } : {}) } });

/** A person of the directory whom a token may stand for. */
export type Person = Pick<
  Contact,
  'user_id' | 'school_id' | 'roles' | 'class_ids' | 'grade_level_ids' | 'department_ids'
>;

/** Whom a token stands for: a person of a tenant, or of one of its schools. `address` as `sameAddressForm` gives it. */
export type PersonQuery = { tenant_id: string; school_id: string | null; address: string };

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
  if (value === undefined) throw refusedToken('missing_claim', `The token has no claim \`${name}\`.`, name);
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
