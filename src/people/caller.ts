/** The caller, from the token (decisions.md, "identity"). Tenant and school come only from here. */
export type Caller = {
  user_id: string;
  tenant_id: string;
  school_id: string;
  roles: readonly Role[];
  permissions: readonly string[];
  class_ids: readonly string[];
  grade_level_ids: readonly string[];
  department_ids: readonly string[];
  /** user ids of the caller's children, by the token and by the directory */
  children: readonly string[];
  /** when the token expires */
  expires_at?: Date;
  /** the same children with their groups */
  known_children?: readonly {
    user_id: string;
    roles: readonly Role[];
    class_ids: readonly string[];
    grade_level_ids: readonly string[];
    department_ids: readonly string[];
  }[];
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
