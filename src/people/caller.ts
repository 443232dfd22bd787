/** Who asks, as the token tells it (decisions.md, "identity"). Tenant and school come from nowhere else. */
export type Caller = {
  user_id: string;
  tenant_id: string;
  school_id: string;
  roles: readonly Role[];
  permissions: readonly string[];
  class_ids: readonly string[];
  grade_level_ids: readonly string[];
  department_ids: readonly string[];
  /** user ids of the caller's children */
  children: readonly string[];
  /** when the token runs out */
  expires_at?: Date;
  /** the caller's children as the directory knows them: what they see, the caller sees */
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

/** Tenant and school: every read and write of the stores is bound to one. */
export type Scope = { tenant_id: string; school_id: string };

export const scopeOf = ({ tenant_id, school_id }: Scope): Scope => ({ tenant_id, school_id });

/** Who did it, as facts remember it: a person, or the clock and other workers as `system`. */
export type Actor = { user_id: string } | 'system';

export const actorOf = (caller: Caller): Actor => ({ user_id: caller.user_id });
