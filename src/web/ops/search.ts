const FILTERS = ['state', 'channel', 'trigger', 'event_id', 'user_id'] as const;
export type Filter = (typeof FILTERS)[number];

/** What the address of the page holds: which messages are shown, or what is in quarantine. */
export type OpsSearch = { show?: 'quarantine' } & Partial<Record<Filter, string>>;

/** Reads it; whether a value makes sense the API says. */
export function readOpsSearch(given: Record<string, unknown>): OpsSearch {
  const search: OpsSearch = given.show === 'quarantine' ? { show: 'quarantine' } : {};
  for (const name of FILTERS) {
    const value = given[name];
    if (typeof value === 'string' && value !== '') search[name] = value;
  }
  return search;
}
