import { lazy, Suspense } from 'react';
import { createStore, useStore } from '../parts/store.ts';

const ViewAsDialog = lazy(() => import('./dialog.tsx'));

const isOpenStore = createStore(false);

export const askViewAs = (): void => isOpenStore.set(true);

/** The question as whom to see the calendar, which the account menu opens. */
export function ViewAsHost() {
  if (!useStore(isOpenStore)) return null;
  return (
    <Suspense fallback={null}>
      <ViewAsDialog onClose={() => isOpenStore.set(false)} />
    </Suspense>
  );
}
