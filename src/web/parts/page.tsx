import { type ReactNode, useEffect } from 'react';
import { ApiError, errorText } from '../api/problem.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { ButtonLink } from './button-link.tsx';
import { Empty } from './empty.tsx';

/** The frame of a page, with the window's title. */
export function Page({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className={`mx-auto w-full px-4 py-5 sm:px-6 ${wide ? 'max-w-screen-2xl' : 'max-w-5xl'}`}>{children}</div>
  );
}

type HeaderProps = { title: string; text?: ReactNode; children?: ReactNode };

/** The heading of a page, with buttons beside it. */
export const PageHeader = ({ title, text, children }: HeaderProps) => (
  <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
    <div className="min-w-0">
      <h1 className="text-2xl font-semibold wrap-anywhere">{title}</h1>
      {text && <p className="text-soft">{text}</p>}
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

/** Why an action failed, in the form that asked for it. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
      {typeof error === 'string' ? error : errorText(error)}
    </p>
  );
}

/** Shows an error in place of content, with a button to try again if that may help. */
export const ErrorMessage = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div role="alert" className="my-6 grid justify-items-start gap-3 rounded-card border border-line bg-card p-5">
    <p className="font-medium">{errorText(error)}</p>
    {onRetry && mayPass(error) && <Button onClick={onRetry}>{t('trouble.again')}</Button>}
  </div>
);

/** A request that was refused will be refused again. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** The page for a missing event, and for one that the user may not see: the API answers both alike. */
export function NotFound() {
  usePageTitle(t('notFound.title'));
  return (
    <Empty title={t('notFound.title')} text={t('notFound.text')}>
      <ButtonLink to="/events" look="main" className="mt-3">
        {t('notFound.back')}
      </ButtonLink>
    </Empty>
  );
}
