import { createAtom, useSelector } from '@tanstack/react-store';
import { BellRing, CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../api/problem.ts';
import { useKeyDown } from '../app/use-key-down.ts';
import { t } from '../texts/texts.ts';

type Options = {
  bad?: boolean;
  undo?: () => void;
  /** opens the message that the notice is about */
  open?: () => void;
  /** tries again what failed */
  again?: () => void;
  seconds?: number;
};
type Notice = Options & { id: number; text: string | ((secondsLeft: number) => string); seconds: number };

const shown = createAtom<readonly Notice[]>([]);
const announced = createAtom('');
let last = 0;

const close = (id: number) => shown.set(shown.get().filter((one) => one.id !== id));

/** Closes a notice after some time. It stays while the pointer or the focus is on it. */
const closeLater = (id: number, seconds: number): unknown =>
  setTimeout(() => (isInUse(id) ? closeLater(id, 1) : close(id)), seconds * 1_000);

const isInUse = (id: number): boolean =>
  document.querySelector(`[data-notice="${id}"]:is(:hover, :focus-within)`) !== null;

/**
 * Shows a notice at the edge of the page in place of one that says the same; it disappears after some seconds unless it
 * reports a failure. A text that counts them down is read aloud once.
 */
export function showNotice(text: Notice['text'], options: Options = {}): void {
  const id = ++last;
  const { seconds = options.undo || options.open ? 10 : 5 } = options;
  // Notices with the same text may undo or open different things.
  const others = shown.get().filter((one) => one.undo || one.open || one.text !== text);
  shown.set([...others.slice(-2), { ...options, id, text, seconds }]);
  if (!options.bad) closeLater(id, seconds);
}

/** Says why an action failed. */
export const showFailure = (error: unknown, options: Options = {}): void =>
  showNotice(errorText(error), { ...options, bad: true });

/** Ctrl+Z outside of a text field undoes what the latest notice offers to undo. */
function onKeyDown(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, shiftKey } = event;
  const latest = shown.get().findLast(({ undo }) => undo);
  if (!latest || key !== 'z' || shiftKey || !(ctrlKey || metaKey)) return;
  if (target instanceof Element && target.closest('input, textarea, select')) return;
  event.preventDefault();
  close(latest.id);
  latest.undo?.();
}

const BEFORE_READ_MS = 100;

/**
 * The text of a notice. Screen readers read what a live region receives, but not what it appears with, and nothing that
 * appears while a dialog closes.
 */
function Text({ text, seconds, bad = false }: Pick<Notice, 'text' | 'seconds' | 'bad'>) {
  const [isRead, setRead] = useState(bad);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), BEFORE_READ_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className="min-w-0 grow">
      <span aria-hidden={!isRead}>{typeof text === 'string' ? text : <Countdown text={text} seconds={seconds} />}</span>
    </p>
  );
}

function Countdown({ text, seconds }: { text: (secondsLeft: number) => string; seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <span aria-hidden>{text(left)}</span>
      <span className="sr-only">{text(seconds)}</span>
    </>
  );
}

/** Announces a text to screen readers only. */
export const announce = announced.set;

/** The live region. An open dialog has its own, since it silences the rest of the page. */
export const Announcement = () => (
  <div role="status" className="sr-only" data-testid="live">
    {useSelector(announced)}
  </div>
);

/** Renders the notices and the live region; once per page. */
export function Notices() {
  const notices = useSelector(shown);
  const section = useRef<HTMLElement>(null);
  useKeyDown(onKeyDown);
  useEffect(() => {
    if (notices.length === 0) return;
    const raise = () => {
      section.current?.hidePopover();
      section.current?.showPopover();
    };
    // The popover that opens last lies on top, such as the card of an event.
    const onToggle = ({ target, newState }: ToggleEvent) => {
      if (newState === 'open' && target !== section.current && (target as HTMLElement).popover) raise();
    };
    raise();
    document.addEventListener('toggle', onToggle, { capture: true });
    return () => document.removeEventListener('toggle', onToggle, { capture: true });
  }, [notices]);
  return (
    <>
      <Announcement />
      <section
        ref={section}
        popover="manual"
        aria-label={t('notices.label')}
        data-print="no"
        // On a phone, where the main button and the keyboard are at the bottom, at the top.
        className="pointer-events-none fixed inset-x-0 top-16 bottom-auto m-0 flex w-full flex-col items-center gap-2 overflow-visible bg-transparent px-3 py-0 text-ink sm:top-auto sm:bottom-5"
      >
        {notices.map(({ id, text, bad, undo, open, again, seconds }) => {
          const act = undo ?? open ?? again;
          return (
            <div
              key={id}
              // One with Undo closes on time, because the server undoes nothing later.
              data-notice={undo ? undefined : id}
              role={bad ? 'alert' : 'status'}
              className="pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2.5 shadow-float"
            >
              {bad ? (
                <CircleAlert size={18} className="shrink-0 text-bad" />
              ) : open ? (
                <BellRing size={18} className="shrink-0 text-accent-text" />
              ) : (
                <CircleCheck size={18} className="shrink-0 text-good" />
              )}
              <Text text={text} seconds={seconds} bad={bad} />
              {act && (
                <button
                  type="button"
                  className="rounded-md px-2 py-1 font-semibold text-accent-text hover:bg-hover max-sm:-my-1 max-sm:min-h-11 shrink-0"
                  aria-keyshortcuts={undo && 'Control+Z Meta+Z'}
                  onClick={() => {
                    close(id);
                    act();
                  }}
                >
                  {t(undo ? 'notices.undo' : open ? 'card.open' : 'trouble.again')}
                </button>
              )}
              <button
                type="button"
                aria-label={t('dialog.close')}
                onClick={() => close(id)}
                className="-mr-1.5 grid size-7 max-sm:-my-1 max-sm:min-h-11 max-sm:min-w-11 place-items-center rounded-md text-soft hover:bg-hover"
              >
                <X size={15} />
              </button>
            </div>
          );
        })}
      </section>
    </>
  );
}
