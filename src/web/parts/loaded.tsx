import type { ReactNode } from 'react';
import { ApiError } from '../api/problem.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Skeleton } from './empty.tsx';
import { ErrorMessage, NotFound } from './page.tsx';

type Query<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

type Props<T> = { query: Query<T>; lines?: number | undefined; children: (data: T) => ReactNode };

/** Content that needs data: until it is loaded, placeholder lines, or the error with a button to try again. */
export function Loaded<T>({ query: { data, error, refetch }, lines, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  return <Skeleton lines={lines} />;
}

type ListProps<Row> = {
  query: Query<readonly Row[]> & Partial<Paged>;
  lines?: number;
  /** shown if there are no rows */
  none: ReactNode;
  /** name of the list */
  label?: string;
  /** classes of the list */
  className?: string;
  children: (row: Row) => ReactNode;
};

/** A list that needs data: its rows, or why there are none, and a button to load more. */
export function List<Row>({
  query,
  lines,
  none,
  label,
  className = 'rounded-card border border-line bg-card',
  children,
}: ListProps<Row>) {
  return (
    <>
      <Loaded query={query} lines={lines}>
        {(rows) =>
          rows.length > 0 ? (
            <ul aria-label={label} className={className}>
              {rows.map(children)}
            </ul>
          ) : typeof none === 'string' ? (
            <p className="text-soft">{none}</p>
          ) : (
            none
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </>
  );
}

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Loads the next page of a list; hidden after the last. */
export function MoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { query: Partial<Paged> }) {
  if (!hasNextPage) return null;
  return (
    <Button className="mt-3 justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage?.()}>
      {t('timeline.more')}
    </Button>
  );
}
