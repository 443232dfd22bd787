import { Link } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';
import { OtherLanguages } from '../parts/other-languages.tsx';
import { t } from '../texts/texts.ts';
import { lastSchool } from './stored.ts';

/** The frame of the pages around a sign-in: names the school if this browser knows it, and leads to its public calendar. */
export function SessionFrame({ text, children }: { text: string; children: ReactNode }) {
  const school = lastSchool();
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="grid w-full max-w-md gap-5 rounded-2xl border border-line bg-card p-7 shadow-float">
        <img src="/favicon.svg" alt="" width="48" height="48" />
        <div className="grid gap-1">
          <h1 className="text-2xl font-semibold wrap-anywhere">{school?.name ?? t('signIn.title')}</h1>
          <p className="text-soft">{text}</p>
        </div>
        {children}
        {school && (
          <Link
            to="/public/$school"
            params={{ school: school.id }}
            className="inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-accent-text underline"
          >
            <CalendarDays size={17} />
            {t('signIn.public')}
          </Link>
        )}
        <div className="-ml-3">
          <OtherLanguages />
        </div>
      </div>
    </main>
  );
}
