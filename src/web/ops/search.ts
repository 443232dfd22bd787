const FILTERS = ['status', 'channel', 'trigger', 'event_id', 'user_id'] as const;
export type Filter = (typeof FILTERS)[number];

/** The page's URL: filters of the messages, or the quarantine. */
export type OpsSearch = { show?: 'quarantine' } & Partial<Record<Filter, string>>;

/** Reads the URL; the API validates the values. */
export function readOpsSearch(given: Record<string, unknown>): OpsSearch {
  const search: OpsSearch = given.show === 'quarantine' ? { show: 'quarantine' } : {};
  for (const name of FILTERS) {
    const value = given[name];
    if (typeof value === 'string' && value !== '') search[name] = value;
  }
  return search;
}
