import { createLink } from '@tanstack/react-router';
import { ChevronLeft, type LucideIcon } from 'lucide-react';
import type { AnchorHTMLAttributes } from 'react';
import { buttonClass, type Look } from './button.tsx';

type Anchor = AnchorHTMLAttributes<HTMLAnchorElement> & { 'data-print'?: 'yes' };

/** A link that looks like a button, to an address. */
export const ButtonAnchor = ({
  look,
  icon: Picture,
  className,
  children,
  ...rest
}: Anchor & { look?: Look; icon?: LucideIcon }) => (
  <a {...rest} className={buttonClass(look, className)}>
    {Picture && <Picture size={17} className="shrink-0" />}
    {children}
  </a>
);

/** A link that looks like a button, to one of our pages. */
export const ButtonLink = createLink(ButtonAnchor);

/** Leads back to a list, or to what a page is about. */
export const BackLink = createLink(({ children, ...rest }: Anchor) => (
  <a
    data-print="no"
    {...rest}
    className="-ml-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-lg px-1.5 text-sm font-medium text-soft hover:bg-hover hover:text-ink max-sm:min-h-11"
  >
    <ChevronLeft size={16} data-print="no" />
    {children}
  </a>
));
