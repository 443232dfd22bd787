import { isObject } from '../../core/objects.ts';
import { PERMISSION_NAMES, ROLES } from '../../people/caller.ts';

const TEXT_CLAIMS = ['user_id', 'tenant_id', 'school_id'] as const;
const LIST_CLAIMS = ['roles', 'permissions', 'class_ids', 'grade_level_ids', 'department_ids', 'children'] as const;
export type TextClaim = (typeof TEXT_CLAIMS)[number];
export type ListClaim = (typeof LIST_CLAIMS)[number];

/** The names that lead to a value of the token. */
export type ClaimPath = readonly string[];
type ValueMap = ReadonlyMap<string, readonly string[]>;

/** How a claim is read: the same for every token, or at a path of the token. With a map, only what it names counts. */
export type ClaimRule = { values: readonly string[] } | { path: ClaimPath; map: ValueMap | null };

/** How the claims of a caller are read from a token. */
export type ClaimMapping = {
  claims: Readonly<Record<TextClaim | ListClaim, ClaimRule>>;
  /** whether the mapping names the school itself; otherwise `email` finds it too */
  namesSchool: boolean;
  rolePermissions: ValueMap;
  /** values of which a token must have one */
  require: readonly { path: ClaimPath; values: readonly string[] }[];
  /** the verified e-mail address that finds the person in the directory; null: the token has all claims */
  email: ClaimPath | null;
};

/** The faults of a mapping, each with its JSON pointer. */
export class ClaimMappingError extends Error {
  override readonly name = 'ClaimMappingError';
}

const NAMES: readonly string[] = [...TEXT_CLAIMS, ...LIST_CLAIMS, 'role_permissions', 'require', 'email'];
/** Claims that the directory gives if `email` finds the person there. */
const OF_DIRECTORY = ['user_id', 'roles', 'class_ids', 'grade_level_ids', 'department_ids', 'children'] as const;
const ALLOWED: Partial<Record<string, readonly string[]>> = { roles: ROLES, permissions: PERMISSION_NAMES };

/**
 * Reads a mapping written as JSON. A claim that it does not name keeps its own name; `user_id` is `sub`.
 * @throws ClaimMappingError naming every fault
 */
export function parseClaimMapping(text: string): ClaimMapping {
  const faults: string[] = [];
  const json = objectAt(faults, '', parsedJson(text));
  for (const name of Object.keys(json)) {
    if (!NAMES.includes(name)) faults.push(`${pointer('', name)} is not one of ${NAMES.join(', ')}`);
  }
  const rules = [...TEXT_CLAIMS, ...LIST_CLAIMS].map((claim) => [claim, ruleAt(faults, claim, json[claim])] as const);
  const email =
    json.email === undefined ? null : pathAt(faults, '/email/path', objectAt(faults, '/email', json.email).path);
  for (const claim of OF_DIRECTORY) {
    if (email && json[claim] !== undefined)
      faults.push(`/${claim} comes from the directory if email is set: leave it out`);
  }
  const mapping = {
    claims: Object.fromEntries(rules) as ClaimMapping['claims'],
    namesSchool: json.school_id !== undefined,
    rolePermissions: mapAt(faults, '/role_permissions', json.role_permissions ?? {}, PERMISSION_NAMES, ROLES),
    require: Object.entries(objectAt(faults, '/require', json.require ?? {})).map(([path, value]) => {
      const at = pointer('/require', path);
      return { path: pathAt(faults, at, path), values: textsAt(faults, at, value) };
    }),
    email,
  };
  if (faults.length > 0) throw new ClaimMappingError(faults.join('; '));
  return mapping;
}

function ruleAt(faults: string[], claim: TextClaim | ListClaim, json: unknown): ClaimRule {
  if (json === undefined) return { path: [claim === 'user_id' ? 'sub' : claim], map: null };
  const at = `/${claim}`;
  const { path, map, value, ...others } = objectAt(faults, at, json);
  for (const name of Object.keys(others)) faults.push(`${pointer(at, name)} is not one of path, map, value`);
  if (isObject(json) && (path === undefined) === (value === undefined))
    faults.push(`${at} must have either path or value`);
  if (value !== undefined) {
    const values = textsAt(faults, `${at}/value`, value, ALLOWED[claim]);
    if (isTextClaim(claim) && values.length > 1) faults.push(`${at}/value must be one text`);
    if (claim === 'user_id') faults.push(`${at} must have a path: with a value everyone would be the same person`);
    return { values };
  }
  return {
    path: path === undefined ? [] : pathAt(faults, `${at}/path`, path),
    map: map === undefined ? null : mapAt(faults, `${at}/map`, map, ALLOWED[claim]),
  };
}

const isTextClaim = (claim: string): boolean => (TEXT_CLAIMS as readonly string[]).includes(claim);

const pathAt = (faults: string[], at: string, json: unknown): ClaimPath =>
  textsAt(faults, at, typeof json === 'string' ? json.split('.') : json);

function mapAt(
  faults: string[],
  at: string,
  json: unknown,
  values?: readonly string[],
  keys?: readonly string[],
): ValueMap {
  const entries = Object.entries(objectAt(faults, at, json));
  for (const [key] of entries)
    if (keys && !keys.includes(key)) faults.push(`${pointer(at, key)} is not one of ${keys.join(', ')}`);
  return new Map(entries.map(([key, value]) => [key, textsAt(faults, pointer(at, key), value, values)]));
}

/** A text, or a list of texts. */
function textsAt(faults: string[], at: string, json: unknown, allowed?: readonly string[]): readonly string[] {
  const texts: unknown[] = Array.isArray(json) ? json : [json];
  const areTexts = texts.length > 0 && texts.every((one) => typeof one === 'string' && one !== '');
  if (!areTexts) faults.push(`${at} must be a text or a list of texts`);
  else if (allowed && !texts.every((one) => allowed.includes(one as string))) {
    faults.push(`${at} must be one or more of ${allowed.join(', ')}`);
  }
  return areTexts ? (texts as string[]) : [];
}

function objectAt(faults: string[], at: string, json: unknown): Record<string, unknown> {
  if (isObject(json)) return json;
  faults.push(`${at} must be an object`.trimStart());
  return {};
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ClaimMappingError('must be JSON');
  }
}

/** Appends a name to a JSON pointer (RFC 6901). */
const pointer = (at: string, name: string): string => `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const STANDARD_CLAIMS: ClaimMapping = parseClaimMapping('{}');
