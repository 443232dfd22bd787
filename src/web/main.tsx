import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { router } from './app/router.tsx';
import { currentToken, endSession, sessionStore } from './session/session.ts';
import { preferredLanguage } from './texts/languages.ts';
import { loadLanguage } from './texts/texts.ts';

await loadLanguage(preferredLanguage());

// After sign-out, here or in another tab, drop the data of the previous user.
sessionStore.subscribe(() => {
  if (currentToken()) return void queryClient.resetQueries();
  queryClient.clear();
  void router.invalidate();
});
if ((currentToken()?.until ?? 0) < Date.now()) endSession();

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
