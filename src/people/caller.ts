/** What a person is at the school: roles, classes, grades, departments. */
export type Groups = {
  roles: readonly Role[];
  class_ids: readonly string[];
  grade_level_ids: readonly string[];
  department_ids: readonly string[];
};

export const groupsOf = ({ roles, class_ids, grade_level_ids, department_ids }: Groups): Groups => ({
  roles,
  class_ids,
  grade_level_ids,
  department_ids,
});

export const NO_GROUPS: Groups = { roles: [], class_ids: [], grade_level_ids: [], department_ids: [] };

/** A child of a caller, with the groups that the directory knows. */
export type Child = Groups & { user_id: string };

/** The caller, from the token (decisions.md, "identity"). Tenant and school come only from here. */
export type Caller = Groups & {
  user_id: string;
  tenant_id: string;
  school_id: string;
  permissions: readonly string[];
  /** user ids of the caller's children, by the token and by the directory */
  children: readonly string[];
  /** when the token expires */
  expires_at?: Date;
  /** staff view as this caller (view-as.ts): no action is offered */
  reads_only?: true;
  /** the same children with their groups */
  known_children?: readonly Child[];
};

export const ROLES = ['admin', 'staff', 'student', 'parent', 'external'] as const;
export type Role = (typeof ROLES)[number];

/** Tenant and school: every query of the stores is limited to one. */
export type Scope = { tenant_id: string; school_id: string };

export const scopeOf = ({ tenant_id, school_id }: Scope): Scope => ({ tenant_id, school_id });

/** A scope as a key of maps and of the school's own row. */
export const scopeKey = ({ tenant_id, school_id }: Scope): string => JSON.stringify([tenant_id, school_id]);

/** Who caused a fact: a person, or `system` for the clock and other workers. */
export type Actor = { user_id: string } | 'system';

export const actorOf = (caller: Caller): Actor => ({ user_id: caller.user_id });
