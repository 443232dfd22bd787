import { type ReactNode, useEffect } from 'react';
import { wordsOf } from '../api/problem.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';

/** The frame of a page that reads like a document, with its name for the window. */
export function Page({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className={`mx-auto w-full px-4 py-5 sm:px-6 ${wide ? 'max-w-screen-2xl' : 'max-w-5xl'}`}>{children}</div>
  );
}

/** Names the window. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Schoolbell` : 'Schoolbell';
  }, [title]);
}

/** What is said instead of something that could not be had. */
export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div role="alert" className="my-6 grid justify-items-start gap-3 rounded-card border border-line bg-card p-5">
      <p className="font-medium">{wordsOf(error)}</p>
      {again && <Button onClick={again}>{t('trouble.again')}</Button>}
    </div>
  );
}
