import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useId } from 'react';
import { errorText, isMissing, isSignedOut, isTemporary } from '../api/problem.ts';
import { useMe } from '../api/queries.ts';
import type { Permission } from '../api/types.ts';
import { t } from '../texts/texts.ts';
import { Button, ButtonLink } from './button.tsx';
import { intoView } from './forms/combobox.tsx';
import { announce } from './notices.tsx';

type PageProps = { title: string; wide?: boolean; needs?: Permission; children: ReactNode };

/** The frame of a page, with the window's title. @param needs a permission, without which the page says that it is missing */
export function Page({ title, wide = false, needs, children }: PageProps) {
  usePageTitle(title);
  // Screen readers don't notice that another page shows in the same document.
  useEffect(() => announce(title), [title]);
  const me = useMe();
  const isRefused = needs && me && !me.may.includes(needs);
  return (
    <div className={`mx-auto w-full px-4 py-5 sm:px-6 ${wide ? 'max-w-screen-2xl' : 'max-w-5xl'}`}>
      {isRefused ? <PageHeader title={title} text={t('problem.forbidden')} /> : children}
    </div>
  );
}

type HeaderProps = { title: string; text?: ReactNode; children?: ReactNode };

/** The heading of a page, with buttons beside it. */
export const PageHeader = ({ title, text, children }: HeaderProps) => (
  <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
    <div className="min-w-0">
      <h1 className="text-2xl font-semibold wrap-anywhere">{title}</h1>
      {text && <div className="text-soft">{text}</div>}
    </div>
    {children && (
      <div data-print="no" className="flex flex-wrap gap-2">
        {children}
      </div>
    )}
  </header>
);

/** Sets the window's title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Schoolbell` : 'Schoolbell';
  }, [title]);
}

/** Why an action failed, in the form that asked for it. It scrolls into view. */
export function Failure({ error }: { error: unknown }) {
  if (!error || isSignedOut(error)) return null;
  return (
    <p role="alert" ref={intoView} className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
      {typeof error === 'string' ? error : errorText(error)}
    </p>
  );
}

/** Shows an error in place of content, with a button to try again if that may help. */
export const ErrorMessage = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div role="alert" className="my-6 grid justify-items-start gap-3 rounded-card border border-line bg-card p-5">
    <p className="font-medium">{errorText(error)}</p>
    {onRetry && isTemporary(error) && <Button onClick={onRetry}>{t('trouble.again')}</Button>}
  </div>
);

/** The page for a missing event, and for one that the user may not see: the API answers both alike. */
export function NotFound() {
  usePageTitle(t('notFound.title'));
  return (
    <Empty title={<h1>{t('notFound.title')}</h1>} text={t('notFound.text')}>
      <ButtonLink to="/events" look="main" className="mt-3">
        {t('notFound.back')}
      </ButtonLink>
    </Empty>
  );
}

type Query<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

/** Several queries as one, which has data once all of them have. */
export function joined<T extends object>(queries: { [N in keyof T]: Query<T[N]> }): Query<T> {
  const all = Object.entries<Query<unknown>>(queries);
  const waiting = all.filter(([, { data }]) => data === undefined);
  return {
    data: waiting.length > 0 ? undefined : (Object.fromEntries(all.map(([name, { data }]) => [name, data])) as T),
    error: waiting.find(([, { error }]) => error)?.[1].error,
    refetch: () => Promise.all(all.map(([, { refetch }]) => refetch())),
  };
}

type LoadedProps<T> = { query: Query<T>; children: (data: T) => ReactNode };

/** Content that needs data: until it is loaded, placeholder lines, or the error with a button to try again. */
export function Loaded<T>({ query: { data, error, refetch }, children }: LoadedProps<T>) {
  // It may be deleted while its page is open.
  if (isMissing(error)) return <NotFound />;
  if (data !== undefined) return children(data);
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  return <Skeleton />;
}

/** Classes of a list whose rows lie on one card, and each on one sheet. */
export const cardList =
  'divide-y divide-line overflow-hidden rounded-card border border-line bg-card *:break-inside-avoid';

type ListProps<Row> = {
  query: Query<readonly Row[]> & Partial<Paged>;
  /** shown if there are no rows */
  none: ReactNode;
  /** name of the list */
  label?: string;
  /** classes of the list */
  className?: string;
  children: (row: Row) => ReactNode;
};

/** A list that needs data: its rows, or why there are none, and a button to load more. */
export function List<Row>({ query, none, label, className = cardList, children }: ListProps<Row>) {
  return (
    <>
      <Loaded query={query}>
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

type Paged = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => unknown;
};

/** Loads the next page of a list, or says why it can't be loaded; hidden after the last. */
export function MoreButton({ query }: { query: Partial<Paged> }) {
  if (!query.hasNextPage) return null;
  return (
    <>
      {/* Without a scroll, since the list may have been loaded for another purpose, such as printing. */}
      {query.isFetchNextPageError && <ErrorMessage error={query.error} />}
      <Button
        className="mt-3 justify-self-center"
        busy={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage?.()}
      >
        {t('timeline.more')}
      </Button>
    </>
  );
}

type EmptyProps = { icon?: LucideIcon; title: ReactNode; text?: string; children?: ReactNode };

/** An empty state: why there is nothing, and what to do. */
export const Empty = ({ icon: Picture, title, text, children }: EmptyProps) => (
  <div className="flex flex-col items-center gap-2 px-6 py-12 text-center text-soft">
    {Picture && <Picture size={30} />}
    <div className="text-base font-medium text-ink">{title}</div>
    {text && <p className="max-w-[60ch]">{text}</p>}
    {children}
  </div>
);

/** Placeholder lines while data loads. */
export const Skeleton = () => (
  <div
    role="status"
    aria-label={t('trouble.waiting')}
    className="grid gap-3 py-4 *:h-5 *:animate-pulse *:rounded-md *:bg-hover"
  >
    <div />
    <div />
    <div />
  </div>
);

type SectionProps = {
  id?: string;
  title: string;
  icon?: LucideIcon;
  text?: ReactNode;
  /** sets the parts of a form apart */
  spaced?: boolean;
  children: ReactNode;
};

/** A part of a page with a heading. */
export function Section({ id, title, icon: Picture, text, spaced = false, children }: SectionProps) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className="scroll-mt-20 rounded-card border border-line bg-card p-4 sm:p-5 print:break-inside-avoid"
    >
      <h2 id={heading} className="flex items-center gap-2 text-base font-semibold">
        {Picture && <Picture size={17} className="shrink-0 text-soft" />}
        {title}
      </h2>
      {text && <p className="mt-0.5 max-w-[70ch] text-soft">{text}</p>}
      <div className={spaced ? 'mt-3 grid gap-4' : 'mt-3'}>{children}</div>
    </section>
  );
}
