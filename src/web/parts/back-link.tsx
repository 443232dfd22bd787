import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';

/** Leads back to a list. */
export const BackLink = ({ to, label }: { to: '/messages' | '/people'; label: string }) => (
  <Link
    to={to}
    data-print="no"
    className="-ml-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-lg px-1.5 text-sm font-medium text-soft hover:bg-hover hover:text-ink max-sm:min-h-11"
  >
    <ChevronLeft size={16} aria-hidden />
    {label}
  </Link>
);
