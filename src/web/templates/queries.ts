import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';

/** The events that the school keeps as templates, by name. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/v1/operations/event-templates', { signal }))).data,
});
