import { createHash, randomBytes } from 'node:crypto';
import type { Caller, Role, Scope } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import type { Viewer } from '../people/visibility.ts';

/**
 * A person's own calendar at a secret address. Who the person is was told by the token it was made with; where the
 * directory knows the person, that is asked each time instead. No permission is kept: a leaked address shows what the
 * person sees as one of the school, and drafts never.
 */
export type Feed = Scope & {
  user_id: string;
  /** of the token, which itself is nowhere kept */
  digest: string;
  roles: readonly Role[];
  class_ids: readonly string[];
  grade_level_ids: readonly string[];
  department_ids: readonly string[];
  children: readonly string[];
  /** the directory knew the person; one who is taken out of it has no calendar any more */
  in_directory: boolean;
  created_at: Date;
};

/** A new token: 32 random bytes. */
export const newFeedToken = (): string => randomBytes(32).toString('base64url');

export const feedDigestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export function feedOf(caller: Caller, token: string, in_directory: boolean, now: Date): Feed {
  const { tenant_id, school_id, user_id, roles, class_ids, grade_level_ids, department_ids, children } = caller;
  const who = { tenant_id, school_id, user_id, roles, class_ids, grade_level_ids, department_ids, children };
  return { ...who, digest: feedDigestOf(token), in_directory, created_at: now };
}

/** Who looks at the calendar; null where the directory no longer knows the person. */
export function feedViewer(feed: Feed, contact: Contact | null, children: readonly Contact[]): Viewer | null {
  if (!contact) return feed.in_directory ? null : feed;
  return { ...contact, children };
}
