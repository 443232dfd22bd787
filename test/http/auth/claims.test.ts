import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../../src/core/errors.ts';
import { claimsOf, type Person, personToFind } from '../../../src/http/auth/authenticate.ts';
import { ClaimMappingError, parseClaimMapping } from '../../../src/http/auth/claim-mapping.ts';

const claims = (payload: object, mapping: unknown, found: readonly Person[] = []) =>
  claimsOf({ ...payload }, parseClaimMapping(JSON.stringify(mapping)), found);

/** `reason claim` of a refusal. */
const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refused) return Object.values(error.refusal.extra ?? {}).join(' ');
  }
  return 'accepted';
};

const SCHOOL = { tenant_id: { value: 'demo' }, school_id: { value: 'lipova' } };
const DANA: Person = {
  user_id: 'dana',
  school_id: 'lipova',
  roles: ['staff'],
  class_ids: ['5.A'],
  grade_level_ids: [],
  department_ids: ['maths'],
};

describe('the claims of a token', () => {
  it('have their own names without a mapping', () => {
    const own = { tenant_id: 't1', school_id: 's1', roles: ['staff', 'chief'], permissions: ['events.view'] };
    expect(claims({ sub: 'eva', ...own, children: ['jan'] }, {})).toEqual({
      user_id: 'eva',
      tenant_id: 't1',
      school_id: 's1',
      roles: ['staff'],
      permissions: ['events.view'],
      class_ids: [],
      grade_level_ids: [],
      department_ids: [],
      children: ['jan'],
    });
  });

  it('are read at paths, also at names with dots', () => {
    const mapping = {
      tenant_id: { path: 'org.id' },
      school_id: { path: ['https://school.example/school'] },
      user_id: { path: 'oid' },
    };
    const payload = { sub: 'x', oid: 'eva', org: { id: 't1' }, 'https://school.example/school': 's1' };
    expect(claims(payload, mapping)).toMatchObject({ user_id: 'eva', tenant_id: 't1', school_id: 's1' });
  });

  it('are read through own properties only, never through those of a prototype', () => {
    const through = (...path: string[]) => refusalOf(() => claims({ sub: 'eva' }, { ...SCHOOL, school_id: { path } }));
    expect(through('constructor', 'name')).toBe('missing_claim constructor.name');
    expect(through('__proto__', 'constructor', 'name')).toBe('missing_claim __proto__.constructor.name');
  });

  it('take only what a map names, so that a group called admin makes no one an administrator', () => {
    const mapping = {
      ...SCHOOL,
      roles: { path: 'groups', map: { '/teachers': 'staff', '/office': ['staff', 'admin'] } },
      permissions: { path: 'groups', map: { '/office': ['events.create', 'events.publish'] } },
    };
    expect(claims({ sub: 'eva', groups: ['/office', 'admin', 'events.delete'] }, mapping)).toMatchObject({
      roles: ['staff', 'admin'],
      permissions: ['events.create', 'events.publish'],
    });
    expect(claims({ sub: 'eva', groups: '/teachers' }, mapping)).toMatchObject({ roles: ['staff'], permissions: [] });
  });

  it('add the permissions of roles', () => {
    const mapping = { ...SCHOOL, role_permissions: { parent: 'events.view', staff: ['events.view', 'events.create'] } };
    expect(claims({ sub: 'eva', roles: ['parent', 'staff'] }, mapping).permissions).toEqual([
      'events.view',
      'events.create',
    ]);
  });

  it.each([
    ['missing_claim tenant_id', { sub: 'eva' }, {}],
    ['missing_claim org.id', { sub: 'eva', org: {} }, { tenant_id: { path: 'org.id' } }],
    ['invalid_claim tenant_id', { sub: 'eva', tenant_id: { $ne: null } }, {}],
    ['invalid_claim groups', { sub: 'eva', groups: [1] }, { ...SCHOOL, roles: { path: 'groups' } }],
    ['unmapped_claim org', { sub: 'eva', org: 'b' }, { ...SCHOOL, school_id: { path: 'org', map: { a: 's1' } } }],
    ['wrong_organization hd', { sub: 'eva', hd: 'evil.test' }, { ...SCHOOL, require: { hd: 'lipova.example' } }],
    ['wrong_organization hd', { sub: 'eva' }, { ...SCHOOL, require: { hd: ['lipova.example'] } }],
    ['missing_claim valueOf', { sub: 'eva' }, { ...SCHOOL, school_id: { path: 'valueOf' } }],
    ['unmapped_claim org', { sub: 'eva', org: 'toString' }, { ...SCHOOL, school_id: { path: 'org', map: { a: 'b' } } }],
  ])('are refused with the reason and the claim: %s', (expected, payload, mapping) => {
    expect(refusalOf(() => claims(payload, mapping))).toBe(expected);
  });
});

describe('a person of the directory', () => {
  const mapping = {
    tenant_id: { value: 'demo' },
    email: { path: 'email' },
    role_permissions: { staff: ['events.view', 'events.create'] },
  };
  const token = { sub: '1093', email: ' Dana@Lipova.example', email_verified: true };
  const wanted = (payload: object, more: object = {}) =>
    personToFind({ ...payload }, parseClaimMapping(JSON.stringify({ ...mapping, ...more })));

  it('is looked up by the verified e-mail address, in the school that the mapping names or in all', () => {
    expect(wanted(token)).toEqual({ tenant_id: 'demo', school_id: null, address: 'dana@lipova.example' });
    expect(wanted(token, { school_id: { value: 'lipova' } })?.school_id).toBe('lipova');
    expect(personToFind(token, parseClaimMapping('{}'))).toBeNull();
  });

  it('gives id, school, roles and groups, and the roles give permissions', () => {
    expect(claims(token, mapping, [DANA])).toEqual({
      ...DANA,
      tenant_id: 'demo',
      permissions: ['events.view', 'events.create'],
      children: [],
    });
  });

  it.each([
    ['unverified_email email_verified', () => wanted({ ...token, email_verified: false })],
    ['unverified_email email_verified', () => wanted({ ...token, email_verified: undefined })],
    ['missing_claim email', () => wanted({ sub: '1093' })],
    ['unknown_person email', () => claims(token, mapping, [])],
    ['several_people email', () => claims(token, mapping, [DANA, { ...DANA, user_id: 'jana' }])],
  ])('is refused with the reason: %s', (expected, work) => {
    expect(refusalOf(work)).toBe(expected);
  });
});

describe('a mapping', () => {
  const faults = (text: string): string => {
    try {
      parseClaimMapping(text);
    } catch (error) {
      if (error instanceof ClaimMappingError) return error.message;
    }
    return '';
  };

  it.each([
    ['{', 'must be JSON'],
    ['[]', 'must be an object'],
    ['{"role": {"path": "a"}}', '/role is not one of user_id, tenant_id'],
    ['{"roles": "a"}', '/roles must be an object'],
    ['{"roles": {}}', '/roles must have either path or value'],
    ['{"roles": {"path": "a", "value": "staff"}}', '/roles must have either path or value'],
    ['{"roles": {"path": "a", "to": "b"}}', '/roles/to is not one of path, map, value'],
    ['{"roles": {"path": 1}}', '/roles/path must be a text or a list of texts'],
    ['{"roles": {"path": "a..b"}}', '/roles/path must be a text or a list of texts'],
    ['{"roles": {"path": "a", "map": {"/x": "teacher"}}}', '/roles/map/~1x must be one or more of admin, staff'],
    ['{"permissions": {"value": ["event.create"]}}', '/permissions/value must be one or more of events.view'],
    ['{"role_permissions": {"teacher": "events.view"}}', '/role_permissions/teacher is not one of admin, staff'],
    ['{"tenant_id": {"value": ["a", "b"]}}', '/tenant_id/value must be one text'],
    ['{"user_id": {"value": "eva"}}', '/user_id must have a path'],
    ['{"email": {"path": "email"}, "roles": {"path": "r"}}', '/roles comes from the directory'],
  ])('names the path of a fault: %s', (text, expected) => {
    expect(faults(text)).toContain(expected);
  });

  it('names all faults together', () => {
    expect(faults('{"roles": {}, "tenant_id": 1}')).toBe(
      '/tenant_id must be an object; /roles must have either path or value',
    );
  });
});

describe('the examples of docs/sign-in.md', () => {
  const document = readFileSync(new URL('../../../docs/sign-in.md', import.meta.url), 'utf8');
  const exampleOf = (provider: string): string => {
    const [, section = ''] = document.split(`## ${provider}\n`);
    return /JWT_CLAIMS='([^']+)'/.exec(section)?.[1] ?? '';
  };

  it.each([
    {
      provider: 'Keycloak',
      payload: {
        sub: 'eva',
        school: 'lipova',
        realm_access: { roles: ['teacher', 'uma_authorization'] },
        groups: ['/events'],
      },
      caller: { tenant_id: 'lipova', school_id: 'lipova', roles: ['staff'] },
      permissions: ['events.publish', 'events.view'],
    },
    {
      provider: 'Microsoft Entra ID',
      payload: { sub: 'pairwise', oid: 'eva', tid: 'x', roles: ['Teacher', 'EventAdmin'] },
      caller: { user_id: 'eva', tenant_id: 'lipova', school_id: 'lipova', roles: ['staff'] },
      permissions: ['events.publish', 'events.view'],
    },
    {
      provider: 'Google Workspace',
      payload: { sub: '1093', email: 'dana@lipova.example', email_verified: true, hd: 'lipova.example' },
      found: DANA,
      caller: { user_id: 'dana', tenant_id: 'lipova', school_id: 'lipova', roles: ['staff'], class_ids: ['5.A'] },
      permissions: ['events.publish', 'events.view'],
    },
    {
      provider: 'Auth0',
      payload: {
        sub: 'auth0|eva',
        permissions: ['events.view', 'events.publish'],
        'https://schoolbell.example/school': 'lipova',
        'https://schoolbell.example/roles': ['teacher'],
      },
      caller: { user_id: 'auth0|eva', tenant_id: 'lipova', school_id: 'lipova', roles: ['staff'] },
      permissions: ['events.publish', 'events.view'],
    },
  ])('map a token of $provider', ({ provider, payload, found, caller, permissions }) => {
    const mapping = parseClaimMapping(exampleOf(provider));
    expect(personToFind(payload, mapping) !== null).toBe(found !== undefined);
    const mapped = claimsOf(payload, mapping, found ? [found] : []);
    expect(mapped).toMatchObject(caller);
    expect(mapped.permissions).toEqual(expect.arrayContaining(permissions));
  });
});
