import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { wordsOf } from '../api/problem.ts';
import type { components, paths } from '../api/types.ts';
import { notify } from '../parts/notices.tsx';

type Answer<Path extends '/api/v1/me/settings'> = paths[Path]['get']['responses'][200]['content']['application/json'];
export type Settings = Answer<'/api/v1/me/settings'>;
export type Preferences = components['schemas']['Preferences'];
export type Wishes = paths['/api/v1/me/preferences']['put']['requestBody'] extends infer B
  ? NonNullable<B> extends { content: { 'application/json': infer W } }
    ? W
    : never
  : never;

/** What may be chosen. */
export const settingsQuery = queryOptions({
  queryKey: ['preferences', 'choices'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me/settings', { signal })),
});

/** What was chosen. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences', 'own'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me/preferences', { signal })),
});

/** Changes one wish: shown at once, one after another, and taken back where the server says no. */
export function useWish() {
  const client = useQueryClient();
  const key = preferencesQuery.queryKey;
  return useMutation({
    scope: { id: 'preferences' },
    mutationFn: (change: (before: Preferences) => Preferences) => {
      const before = client.getQueryData(key);
      if (!before) throw new Error('not read yet');
      const body = change(before) as Wishes;
      client.setQueryData(key, body as Preferences);
      return bodyOf(api.PUT('/api/v1/me/preferences', { body })).catch((error) => {
        client.setQueryData(key, before);
        throw error;
      });
    },
    onError: (error) => notify(wordsOf(error), { bad: true }),
  });
}
