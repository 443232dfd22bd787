import { useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery, queryClient } from '../api/queries.ts';
import type { BodyOf, components, ResponseOf } from '../api/types.ts';

export type Settings = ResponseOf<'/api/v1/me/settings'>;
export type Preferences = components['schemas']['Preferences'];
export type NewPreferences = BodyOf<'/api/v1/me/preferences', 'put'>;

/** The available choices. */
export const settingsQuery = getQuery(['preferences', 'choices'], '/api/v1/me/settings', {});

/** The user's choices. */
export const preferencesQuery = getQuery(['preferences', 'own'], '/api/v1/me/preferences', {});

/** Shows a changed choice immediately and saves one request at a time; reverts it if the server refuses. */
export function useUpdatePreferences() {
  const key = preferencesQuery.queryKey;
  const apply = (change: (before: Preferences) => Preferences) => {
    const before = queryClient.getQueryData(key);
    if (!before) throw new Error('preferences are not loaded');
    const after = change(before);
    queryClient.setQueryData(key, after);
    return { before, after };
  };
  return useMutation({
    scope: { id: 'preferences' },
    onMutate: apply,
    // Applied again, because a change saved before this one may have been reverted.
    mutationFn: (change: (before: Preferences) => Preferences) =>
      unwrap(api.PUT('/api/v1/me/preferences', { body: apply(change).after as NewPreferences })),
    onError: (_error, _change, applied) => queryClient.setQueryData(key, applied?.before),
  });
}
