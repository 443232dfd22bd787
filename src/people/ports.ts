import type { Position, Range } from '../core/paging.ts';
import type { GroupList, Role, Scope } from './caller.ts';
import type { Contact } from './contact.ts';

export type ContactStore = {
  find(scope: Scope, user_id: string): Promise<Contact | null>;
  /** The contacts that exist, in no order. */
  findMany(scope: Scope, user_ids: readonly string[]): Promise<Contact[]>;
  /** Which of these people have left the school, and the guardians of each. */
  findTies(scope: Scope, user_ids: readonly string[]): Promise<Pick<Contact, 'user_id' | 'left_at' | 'guardians'>[]>;
  /** The contacts who have one of these e-mail addresses or phone numbers, each as `sameAddressForm` gives it. */
  findByAddresses(scope: Scope, addresses: readonly string[]): Promise<Contact[]>;
  /** The people of a tenant, or of one of its schools, who have this address and have not left. */
  findPresent(of: { tenant_id: string; school_id: string | null; address: string }): Promise<Contact[]>;
  /** The contacts of whom one of these people is a guardian, without those who have left. */
  findChildren(scope: Scope, guardian_ids: readonly string[]): Promise<Contact[]>;
  /** One page of a range, ordered by user_id, without people who have left. */
  findPage(scope: Scope, range: Range, limit: number, filter: AudienceFilter): Promise<Contact[]>;
  /** The last user_id of each full range of `size` contacts after `after`. */
  findRangeEnds(scope: Scope, after: string, size: number, filter: AudienceFilter): Promise<string[]>;
  /**
   * Inserts or replaces contacts, unordered.
   * @param options `upsert` false: only replaces those that still exist and have no later `updated_at`
   * @returns how many were new and how many replaced
   */
  putMany(contacts: readonly Contact[], options?: { upsert: boolean }): Promise<{ inserted: number; replaced: number }>;
  /** Contacts whose name matches all word prefixes, ordered by name, then user_id; strictly after `after`. */
  search(scope: Scope, search: PeopleSearch): Promise<Contact[]>;
  /** All contacts of a school, in no order. */
  listAll(scope: Scope): Promise<Contact[]>;
  /** The classes, grades and departments of people who have not left, with their sizes. */
  countGroups(scope: Scope): Promise<Record<GroupList, PeopleIn[]>>;
};

/** `words` as `searchWords` makes them. People must match all filters that are given. */
export type PeopleSearch = {
  words: readonly string[];
  user_ids?: readonly string[];
  role?: Role;
  class_id?: string;
  /** the people of whom this person is a guardian */
  guardian_id?: string;
  /** only people who have left, or only others */
  left?: boolean;
  after: Position | null;
  limit: number;
};

type PeopleIn = { id: string; people: number };

/** Narrows the query of the directory; the rule in `recipients` checks every contact again. */
export type AudienceFilter = { roles: readonly string[] | null };

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
   * Stores a subscription. An endpoint belongs to the person who registered it last; each person keeps the newest
   * `BROWSERS_PER_PERSON`.
   * @param subscription with a normalized endpoint
   */
  put(subscription: PushSubscription): Promise<void>;
  findMany(scope: Scope, user_ids: readonly string[]): Promise<PushSubscription[]>;
  removeByEndpoint(endpoint: string): Promise<void>;
  remove(scope: Scope, user_id: string, endpoint: string): Promise<boolean>;
};
