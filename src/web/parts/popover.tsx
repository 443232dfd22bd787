import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type Trigger = ReactElement<{
  popoverTarget?: string;
  'aria-expanded'?: boolean;
  'aria-haspopup'?: 'dialog' | 'menu';
}>;

type Props = {
  /** button that opens the popover */
  trigger: Trigger;
  label?: string;
  role?: 'dialog' | 'menu';
  align?: 'start' | 'end';
  className?: string;
  /** wraps the button, but not the panel */
  wrap?: (button: ReactNode) => ReactNode;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>, panel: HTMLElement) => void;
  /** renders the panel; `close` also returns the focus to the button */
  children: (close: () => void) => ReactNode;
};

/** Between a panel and its button, and between a panel and the edge of the window, in pixels. */
const GAP = 6;
const EDGE = 8;
/** Opens upwards with less room than this below the button and more above. */
const MIN_HEIGHT = 260;

/**
 * A panel under a button: the browser's popover, which Esc and a click elsewhere close. Renders its content only while open,
 * and focuses `data-first` or else the first control.
 */
export function Popover({ trigger, label, role = 'dialog', align = 'start', className = '', ...more }: Props) {
  const { wrap = (button) => button, onKeyDown, children } = more;
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => ref.current?.hidePopover();
  return (
    <>
      {wrap(cloneElement(trigger, { popoverTarget: id, 'aria-expanded': isOpen, 'aria-haspopup': role }))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is a dialog's or a menu's */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: see above */}
      <div
        id={id}
        ref={ref}
        popover="auto"
        role={role}
        aria-label={label}
        className={`fixed inset-auto m-0 overflow-y-auto border border-line bg-raised text-left text-[0.9375rem] leading-normal font-normal whitespace-normal text-ink shadow-float ${className}`}
        onBeforeToggle={({ newState, target, currentTarget }) => {
          if (target !== currentTarget || newState !== 'open') return;
          const button = document.querySelector<HTMLElement>(`[popovertarget="${id}"]`);
          // Where the browser returns the focus to: Safari does not focus a button that is clicked.
          button?.focus({ preventScroll: true });
          if (button) place(currentTarget, button, align);
          flushSync(() => setOpen(true));
        }}
        onToggle={({ newState, target, currentTarget }) => {
          if (target !== currentTarget) return;
          // Unmount only now: the browser first returns the focus from the panel to the button.
          if (newState !== 'open') return setOpen(false);
          const first =
            currentTarget.querySelector<HTMLElement>('[data-first]') ??
            currentTarget.querySelector<HTMLElement>('input, button, select, a');
          first?.focus();
        }}
        onKeyDown={onKeyDown && ((event) => onKeyDown(event, event.currentTarget))}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}

/** Positions a fixed panel under the button, or above it if there is more room, within the window. */
export function place({ style }: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { innerWidth: width, innerHeight: height } = window;
  const isAbove = height - bottom < MIN_HEIGHT && top > height - bottom;
  style.top = isAbove ? 'auto' : `${bottom + GAP}px`;
  style.bottom = isAbove ? `${height - top + GAP}px` : 'auto';
  style.maxHeight = `${(isAbove ? top : height - bottom) - GAP - EDGE}px`;
  style.maxWidth = `calc(100vw - ${2 * EDGE}px)`;
  // Percentages refer to the panel's width, unknown before it shows.
  style.left = '0';
  style.translate =
    align === 'start'
      ? `clamp(${EDGE}px, ${left}px, ${width - EDGE}px - 100%)`
      : `clamp(${EDGE}px, ${right}px - 100%, ${width - EDGE}px - 100%)`;
}
