import { lazy, Suspense } from 'react';
import type { Me } from '../api/types.ts';
import { createStore, useStore } from '../parts/store.ts';
import { viewedAs } from '../session/viewing.ts';

const Banner = lazy(() => import('./banner.tsx'));
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

/** The mark of a view on every page; nothing in one's own view. */
export const ViewBanner = ({ me }: { me: Me | undefined }) =>
  viewedAs() === null ? null : (
    <Suspense fallback={null}>
      <Banner me={me} />
    </Suspense>
  );
