import type { Position } from '../core/paging.ts';
import type { Scope } from './caller.ts';
import type { Contact } from './contact.ts';
import type { Preferences } from './preferences.ts';
import type { School } from './school.ts';

export type ContactStore = {
  find(scope: Scope, user_id: string): Promise<Contact | null>;
  /** Those that exist, in no order. */
  findMany(scope: Scope, user_ids: readonly string[]): Promise<Contact[]>;
  /** Whose guardian this person is. */
  childrenOf(scope: Scope, guardian_ids: readonly string[]): Promise<Contact[]>;
  /** Ordered by user_id, strictly after `after`; at most `limit`. The fan-out's cursor. */
  pageAfter(scope: Scope, after: string | null, limit: number, filter: AudienceFilter): Promise<Contact[]>;
  /** Inserts or replaces, unordered. @returns how many were new and how many replaced */
  putMany(contacts: readonly Contact[]): Promise<{ inserted: number; replaced: number }>;
  remove(scope: Scope, user_id: string): Promise<boolean>;
  /** Ordered by name, then user_id, strictly after `after`: those whose name has a word beginning with each of `words`. */
  search(scope: Scope, search: PeopleSearch): Promise<Contact[]>;
  /** The classes, grades and departments that people are in, each with how many. */
  groups(scope: Scope): Promise<Record<'class_ids' | 'grade_level_ids' | 'department_ids', PeopleIn[]>>;
};

/** `words` as `searchWords` makes them; `user_ids`: only these. */
export type PeopleSearch = {
  words: readonly string[];
  user_ids?: readonly string[] | undefined;
  after: Position | null;
  limit: number;
};

export type PeopleIn = { id: string; people: number };

/** Narrows the directory in the store to contacts that can match; the pure rule in `recipients` has the last word. */
export type AudienceFilter = { roles: readonly string[] | null };

export type SchoolStore = {
  /** The school's settings, or `unnamedSchool`. */
  find(scope: Scope): Promise<School>;
  put(school: School): Promise<void>;
};

export type PreferenceStore = {
  find(scope: Scope, user_id: string): Promise<Preferences | null>;
  findMany(scope: Scope, user_ids: readonly string[]): Promise<Preferences[]>;
  put(preferences: Preferences): Promise<void>;
  /** Adds one wish, keeping the others; creates the row where there is none. */
  addOptOut(scope: Scope, user_id: string, wish: string): Promise<void>;
};

/** A browser's push subscription (RFC 8030, RFC 8291). */
export type PushSubscription = Scope & {
  id: string;
  user_id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
  created_at: Date;
};

export type PushSubscriptionStore = {
  /**
   * Keeps one subscription for each endpoint, of the person who registered it last, and the newest
   * `BROWSERS_PER_PERSON` of a person.
   * @param subscription its endpoint is normalized
   */
  put(subscription: PushSubscription): Promise<void>;
  findMany(scope: Scope, user_ids: readonly string[]): Promise<PushSubscription[]>;
  removeByEndpoint(endpoint: string): Promise<void>;
  remove(scope: Scope, user_id: string, endpoint: string): Promise<boolean>;
};
