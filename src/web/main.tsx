import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { showLastDone } from './actions/perform.ts';
import { calendarQuery, meQuery, queryClient } from './api/queries.ts';
import type { CalendarQuery } from './api/types.ts';
import { router } from './app/router.tsx';
import { firstView } from './calendar/first-view.ts';
import { BEING_EDITED } from './live/handle-message.ts';
import { keepFocus } from './parts/keep-focus.ts';
import { currentSession, sessionStore } from './session/session.ts';
import { preferredLanguage } from './texts/languages.ts';
import { loadLanguage } from './texts/texts.ts';

/** The longest wait for responses before the page shows that it waits. */
const LONGEST_WAIT_MS = 400;

document.documentElement.lang = preferredLanguage();
await loadLanguage(preferredLanguage());

sessionStore.subscribe(() => {
  if (currentSession()) return void continueSession();
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

/** What the first page needs; `boot.ts` has sent the requests. */
function loadFirst(): Promise<unknown> {
  if (!window.prefetched) return router.load();
  const first = firstView(window.location.search);
  const shown =
    first && queryClient.prefetchQuery(calendarQuery(Object.fromEntries(new URLSearchParams(first)) as CalendarQuery));
  return Promise.all([router.load(), queryClient.prefetchQuery(meQuery), shown]);
}

// Most responses come before the scripts. Then the page renders once, not again for each of them.
await Promise.race([loadFirst(), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);

keepFocus();
showLastDone();
const root = createRoot(document.getElementById('root') as HTMLElement);
// In slices, so that the page reacts in between.
startTransition(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
