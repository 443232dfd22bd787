import { createLink } from '@tanstack/react-router';
import { ChevronLeft, type LucideIcon } from 'lucide-react';
import type { AnchorHTMLAttributes, ComponentProps, ReactNode } from 'react';

export type Look = 'main' | 'plain' | 'quiet' | 'danger';

const LOOKS: Record<Look, string> = {
  main: 'bg-accent text-accent-ink hover:brightness-110 border-transparent',
  plain: 'bg-card text-ink border-line hover:bg-hover',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-hover',
  danger: 'bg-card text-bad border-line hover:bg-bad-soft',
};

/** Classes of a button, and of a link that looks like one. */
const buttonClass = (look: Look = 'plain', more = ''): string =>
  `inline-flex min-h-9 max-w-full max-sm:min-h-11 max-sm:min-w-11 items-center justify-center gap-2 rounded-lg border px-3 py-1.5 font-medium wrap-break-word transition-colors select-none disabled:opacity-55 disabled:cursor-not-allowed ${LOOKS[look]} ${more}`;

type Props = ComponentProps<'button'> & {
  look?: Look;
  busy?: boolean;
  icon?: LucideIcon;
  /** the object of the action: the accessible name is the content, which must be a text, and this */
  of?: string;
};

/** A button, which is not printed. While busy it keeps the focus and ignores clicks, also those by which Enter in a field sends a form. */
export const Button = ({ look, busy, icon: Picture, of, className = '', onClick, children, ...rest }: Props) => (
  <button
    type="button"
    data-print="no"
    aria-label={of && `${children}: ${of}`}
    {...rest}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    className={buttonClass(look, `${busy ? 'opacity-70' : ''} ${className}`)}
  >
    {Picture && <Picture size={17} className="shrink-0" />}
    {children}
  </button>
);

type IconButtonProps = Omit<Props, 'children' | 'icon' | 'aria-label'> & { label: string; icon: LucideIcon };

/** A button that shows only an icon; `label` names it, and its tooltip if there are several such buttons. */
export const IconButton = ({ label, of, className = '', ...rest }: IconButtonProps) => (
  <Button
    look="quiet"
    {...rest}
    title={of && label}
    aria-label={of ? `${label}: ${of}` : label}
    className={`px-2! ${className}`}
  />
);

/** Classes of a chip; `aria-pressed` highlights it. */
export const chipClass =
  'inline-flex min-h-8 max-sm:min-h-11 items-center gap-1.5 rounded-full border border-line bg-card px-3 text-sm hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text';

type ChipProps = { pressed: boolean; onClick: () => void; children: ReactNode };

/** A chip that turns a filter on and off. */
export const Chip = ({ pressed, onClick, children }: ChipProps) => (
  <button type="button" aria-pressed={pressed} onClick={onClick} className={chipClass}>
    {children}
  </button>
);

type Anchor = AnchorHTMLAttributes<HTMLAnchorElement>;

type AnchorProps = Anchor & { look?: Look; icon?: LucideIcon };

/** A link that looks like a button, to an address. */
export const ButtonAnchor = ({ look, icon: Picture, className, children, ...rest }: AnchorProps) => (
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
    className="-ml-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-lg px-1.5 text-sm wrap-anywhere font-medium text-soft hover:bg-hover hover:text-ink max-sm:min-h-11"
  >
    <ChevronLeft size={16} data-print="no" />
    {children}
  </a>
));
