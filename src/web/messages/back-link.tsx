import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { t } from '../texts/texts.ts';

/** Leads back to the list of messages. */
export const BackLink = () => (
  <Link
    to="/messages"
    data-print="no"
    className="-ml-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-lg px-1.5 text-sm font-medium text-soft hover:bg-hover hover:text-ink max-sm:min-h-11"
  >
    <ChevronLeft size={16} aria-hidden />
    {t('nav.messages')}
  </Link>
);
