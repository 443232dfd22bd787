import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { meQuery, queryClient } from './api/queries.ts';
import { router } from './app/router.tsx';
import { BEING_EDITED } from './live/handle-message.ts';
import { currentToken, sessionStore } from './session/session.ts';
import { preferredLanguage } from './texts/languages.ts';
import { loadLanguage } from './texts/texts.ts';

await loadLanguage(preferredLanguage());

sessionStore.subscribe(() => {
  if (currentToken()) return void continueSession();
  // After sign-out, here or in another tab, drop the data of the previous user.
  queryClient.clear();
  void router.invalidate();
});

/** Refetches after a sign-in. Only the same person keeps the page with what was typed in it. */
async function continueSession(): Promise<void> {
  const before = queryClient.getQueryData(meQuery.queryKey);
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => undefined);
  if (before && me && (me.user_id !== before.user_id || me.school.id !== before.school.id)) window.location.reload();
  await queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== BEING_EDITED || state.status === 'error',
  });
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
