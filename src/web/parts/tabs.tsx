import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Tab = Pick<LinkProps, 'to' | 'search'> & { isOn: boolean; label: ReactNode };

/** Links to the parts of a page, side by side. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav aria-label={label} data-print="no" className="flex w-full flex-wrap gap-1 rounded-xl bg-hover p-1 sm:w-auto">
    {tabs.map(({ to, search, isOn, label: text }, at) => (
      <Link
        key={String(at)}
        to={to}
        search={search}
        aria-current={isOn ? 'page' : undefined}
        // By default the router takes a link without parameters as current with any parameters.
        activeOptions={{ includeSearch: true, exact: true }}
        className="flex min-h-8 max-sm:min-h-11 flex-1 items-center justify-center gap-1.5 rounded-lg px-3 font-medium whitespace-nowrap text-soft hover:text-ink aria-[current=page]:bg-card aria-[current=page]:text-ink aria-[current=page]:shadow-sm"
      >
        {text}
      </Link>
    ))}
  </nav>
);
