import type { ReadingDeps } from '../events/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { ContactStore, PreferenceStore } from '../people/ports.ts';
import type { Feed } from './feed.ts';

export type FeedStore = {
  find(digest: string): Promise<Feed | null>;
  findOfPerson(scope: Scope, user_id: string): Promise<Feed | null>;
  /** Replaces the person's feed, whose old address stops working. */
  put(feed: Feed): Promise<void>;
  remove(scope: Scope, user_id: string): Promise<boolean>;
};

export type FeedDeps = ReadingDeps & {
  feeds: FeedStore;
  contacts: Pick<ContactStore, 'find' | 'childrenOf'>;
  preferences: Pick<PreferenceStore, 'find'>;
};
