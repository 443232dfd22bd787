import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { components, paths } from '../api/types.ts';

type Answer<Path extends '/api/v1/me/settings'> = paths[Path]['get']['responses'][200]['content']['application/json'];
export type Settings = Answer<'/api/v1/me/settings'>;
export type Preferences = components['schemas']['Preferences'];
export type NewPreferences = paths['/api/v1/me/preferences']['put']['requestBody'] extends infer B
  ? NonNullable<B> extends { content: { 'application/json': infer W } }
    ? W
    : never
  : never;

/** The available choices. */
export const settingsQuery = queryOptions({
  queryKey: ['preferences', 'choices'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/v1/me/settings', { signal })),
});

/** The user's choices. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences', 'own'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/v1/me/preferences', { signal })),
});

/** Updates the preferences optimistically, one request at a time; reverts if the server refuses. */
export function useUpdatePreferences() {
  const key = preferencesQuery.queryKey;
  return useMutation({
    scope: { id: 'preferences' },
    mutationFn: (change: (before: Preferences) => Preferences) => {
      const before = queryClient.getQueryData(key);
      if (!before) throw new Error('preferences are not loaded');
      const body = change(before) as NewPreferences;
      queryClient.setQueryData(key, body as Preferences);
      return unwrap(api.PUT('/api/v1/me/preferences', { body })).catch((error) => {
        queryClient.setQueryData(key, before);
        throw error;
      });
    },
  });
}
