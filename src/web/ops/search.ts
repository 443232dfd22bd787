import { oneOf, texts } from '../app/search.ts';

/** Filters of the messages, named like the API's query parameters. */
export const FILTERS = ['status', 'channel', 'trigger', 'event_id', 'user_id'] as const;
export type Filter = (typeof FILTERS)[number];

/** The page's URL: filters of the messages, or the quarantine. */
export type OpsSearch = { show?: 'quarantine' | undefined } & { [name in Filter]?: string | undefined };

export const readOpsSearch = (given: Record<string, unknown>): OpsSearch => ({
  show: oneOf(['quarantine'] as const, given.show),
  ...texts(...FILTERS)(given),
});
