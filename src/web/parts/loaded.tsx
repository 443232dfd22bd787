import type { ReactNode } from 'react';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Skeleton } from './empty.tsx';
import { ErrorMessage } from './page.tsx';

type Query<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

type Props<T> = { query: Query<T>; label: string; lines?: number; children: (data: T) => ReactNode };

/** Content that needs data: until it is loaded, placeholder lines, or the error with a button to try again. */
export function Loaded<T>({ query: { data, error, refetch }, label, lines = 4, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  return <Skeleton label={label} lines={lines} />;
}

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Loads the next page of a list; hidden after the last. */
export function MoreButton({ query, label = t('timeline.more') }: { query: Paged; label?: string }) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      className="mt-3 justify-self-center"
      busy={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
