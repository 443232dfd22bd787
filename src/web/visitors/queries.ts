import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { loadAll } from '../api/queries.ts';
import { rememberSchool } from '../session/stored.ts';
import { inLanguage } from '../texts/in-language.ts';

const URL = '/api/v1/public/schools/{school_id}/events';

/** The school's public data. */
export const schoolQuery = (school_id: string) =>
  queryOptions({
    queryKey: ['public', school_id],
    queryFn: async ({ signal }) => {
      const path = '/api/v1/public/schools/{school_id}';
      const school = await unwrap(api.GET(path, { params: { path: { school_id } }, signal }));
      rememberSchool(school);
      return school;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The event of a shared link; null if it is not public. */
export const sharedQuery = (school_id: string, id: string) =>
  queryOptions({
    queryKey: ['public', school_id, 'event', id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/v1/public/schools/{school_id}/events/{id}', { params: { path: { school_id, id } }, signal }),
      ).catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500 && error.status > 0) return null;
        throw error;
      }),
    select: (event) => event && inLanguage(event),
  });

/** Public events that take place, at least in part, in the whole weeks of the month of a date. */
export const publicQuery = (school_id: string, month: string) =>
  queryOptions({
    queryKey: ['public', school_id, 'month', month],
    queryFn: ({ signal }) => loadAll(URL, { path: { school_id }, query: { month, limit: 100 } }, signal),
    select: (events) => events.map((event) => inLanguage(event)),
    placeholderData: keepPreviousData,
  });
