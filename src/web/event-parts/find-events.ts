import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import type { ListQuery, SchoolEvent } from '../api/types.ts';
import { useToday } from '../api/use-now.ts';
import { addDays } from '../texts/dates.ts';
import { inLanguage } from '../texts/in-language.ts';

/** The fields of an event in a list. */
export const LISTED = [
  'title',
  'translations',
  'event_type',
  'status',
  'postponed_to',
  'start_date',
  'end_date',
  'starts_at',
  'ends_at',
  'timezone',
  'all_day',
] as const;

const find = async (query: ListQuery, signal: AbortSignal) => {
  const { data } = await unwrap(
    api.GET('/api/v1/operations/events', { params: { query: { ...query, fields: [...LISTED] } }, signal }),
  );
  return (data as Pick<SchoolEvent, 'id' | (typeof LISTED)[number]>[]).map((event) => inLanguage(event));
};

const foundEventsQuery = (q: string, today: string) =>
  queryOptions({
    // A change of an event invalidates it, like every list of events.
    queryKey: ['events', 'found', q],
    queryFn: async ({ signal }) => {
      const [coming, past] = await Promise.all([
        find({ q, start_date_from: today, limit: 5 }, signal),
        find({ q, start_date_to: addDays(today, -1), sort: '-start_date', limit: 3 }, signal),
      ]);
      return [...coming, ...past];
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Events whose title or tags match: the next ones, then the latest past ones, by the school's today. */
export const useFoundEvents = (q: string) => useQuery(foundEventsQuery(q, useToday()));
