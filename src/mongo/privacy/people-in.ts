import { COLLECTION_NAMES, type CollectionName } from '../collections.ts';

/**
 * Where people stand in the database, how they vanish from it when they are erased, and when without that. A collection
 * that isn't in here doesn't compile.
 */
type Standing = {
  /** `theirs`: the row goes · `named`: the row stays without them · `nobody`: none of its rows names anybody */
  erased: 'theirs' | 'named' | 'nobody';
  /** a setting, a time of its own, or as long as whatever the row is part of */
  kept:
    | 'KEEP_DELIVERIES_DAYS'
    | 'KEEP_INBOX_DAYS'
    | 'KEEP_HISTORY_DAYS'
    | 'hours'
    | 'minutes'
    | 'as long as it is used';
};

const PEOPLE_IN: Readonly<Record<CollectionName, Standing>> = {
  events: { erased: 'named', kept: 'as long as it is used' },
  facts: { erased: 'named', kept: 'KEEP_HISTORY_DAYS' },
  registrations: { erased: 'named', kept: 'KEEP_HISTORY_DAYS' },
  contacts: { erased: 'theirs', kept: 'as long as it is used' },
  deliveries: { erased: 'named', kept: 'KEEP_DELIVERIES_DAYS' },
  delivery_counts: { erased: 'nobody', kept: 'as long as it is used' },
  feeds: { erased: 'theirs', kept: 'as long as it is used' },
  inbox: { erased: 'theirs', kept: 'KEEP_INBOX_DAYS' },
  signals: { erased: 'named', kept: 'minutes' },
  tellings: { erased: 'nobody', kept: 'hours' },
  reminders: { erased: 'nobody', kept: 'KEEP_HISTORY_DAYS' },
  schools: { erased: 'nobody', kept: 'as long as it is used' },
  preferences: { erased: 'theirs', kept: 'as long as it is used' },
  push_subscriptions: { erased: 'theirs', kept: 'as long as it is used' },
  suppressions: { erased: 'named', kept: 'KEEP_DELIVERIES_DAYS' },
  address_limits: { erased: 'nobody', kept: 'hours' },
  sms_budgets: { erased: 'nobody', kept: 'hours' },
  replies: { erased: 'named', kept: 'hours' },
  ingested: { erased: 'nobody', kept: 'KEEP_HISTORY_DAYS' },
  texts: { erased: 'nobody', kept: 'as long as it is used' },
  secrets: { erased: 'nobody', kept: 'as long as it is used' },
  marks: { erased: 'nobody', kept: 'as long as it is used' },
};

export const standingIn = (name: CollectionName): Standing => PEOPLE_IN[name];

/** Collections whose rows belong to one person each. */
export const THEIRS: readonly CollectionName[] = COLLECTION_NAMES.filter((name) => PEOPLE_IN[name].erased === 'theirs');
