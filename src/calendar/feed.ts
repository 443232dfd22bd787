import { createHash, randomBytes } from 'node:crypto';
import { type Caller, type Groups, groupsOf, type Scope, scopeOf } from '../people/caller.ts';
import type { Contact } from '../people/contact.ts';
import type { Viewer } from '../people/visibility.ts';

/**
 * A person's calendar subscription at a secret address. Stores roles and groups of the token that created it, for people who
 * are not in the directory; for others every read uses the directory. Stores no permissions, so a leaked address shows only
 * what the person may see as a member of the school, and never drafts.
 */
export type Feed = Scope &
  Groups & {
    user_id: string;
    /** digest of the token; the token itself is not stored */
    digest: string;
    children: readonly string[];
    /** whether the person was in the directory; the feed ends when they are removed from it */
    in_directory: boolean;
    created_at: Date;
  };

/** Creates a token of 32 random bytes. */
export const newFeedToken = (): string => randomBytes(32).toString('base64url');

export const feedDigestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export function feedOf(caller: Caller, token: string, in_directory: boolean, now: Date): Feed {
  const { user_id, children } = caller;
  const who = { ...scopeOf(caller), ...groupsOf(caller), user_id, children };
  return { ...who, digest: feedDigestOf(token), in_directory, created_at: now };
}

/** The viewer of a feed; null if the person was removed from the directory or has left. */
export function feedViewer(feed: Feed, contact: Contact | null, children: readonly Contact[]): Viewer | null {
  if (!contact) return feed.in_directory ? null : feed;
  return contact.left_at ? null : { ...contact, children };
}
