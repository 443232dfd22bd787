import { BellRing, CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../texts/texts.ts';
import { createStore, useStore } from './store.ts';

type Notice = {
  id: number;
  text: string | ((secondsLeft: number) => string);
  isBad: boolean;
  icon: 'done' | 'message';
  undo?: { label: string; run: () => void };
  seconds: number;
};

const shown = createStore<readonly Notice[]>([]);
const announced = createStore('');
let last = 0;

const close = (id: number) => shown.set(shown.get().filter((one) => one.id !== id));

/**
 * Shows a notice at the edge of the page; it disappears after some seconds unless it reports a failure. A text that counts
 * them down is read aloud once.
 */
export function showNotice(
  text: Notice['text'],
  more: { bad?: boolean; undo?: Notice['undo']; icon?: Notice['icon']; seconds?: number } = {},
): void {
  const id = ++last;
  const { bad = false, undo, icon = 'done', seconds = undo ? 10 : 5 } = more;
  shown.set([...shown.get().slice(-2), { id, text, icon, isBad: bad, seconds, undo }]);
  if (!bad) setTimeout(() => close(id), seconds * 1_000);
}

function runUndo({ id, undo }: Notice): void {
  close(id);
  undo?.run();
}

/** Ctrl+Z outside of a text field undoes what the latest notice offers to undo. */
function onKeyDown(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, shiftKey } = event;
  const latest = shown.get().findLast(({ undo, icon }) => undo && icon === 'done');
  if (!latest || key !== 'z' || shiftKey || !(ctrlKey || metaKey)) return;
  if (target instanceof Element && target.closest('input, textarea, select')) return;
  event.preventDefault();
  runUndo(latest);
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

/** Renders the notices and the live region; once per page. */
export function Notices() {
  const notices = useStore(shown);
  const announcement = useStore(announced);
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <div role="status" className="sr-only" data-testid="live">
        {announcement}
      </div>
      <section
        aria-label={t('notices.label')}
        data-print="no"
        className="pointer-events-none fixed inset-x-0 bottom-18 z-50 flex flex-col items-center gap-2 px-3 sm:bottom-5"
      >
        {notices.map((notice) => {
          const { id, text, icon, isBad, undo, seconds } = notice;
          return (
            <div
              key={id}
              role={isBad ? 'alert' : 'status'}
              className="pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2.5 shadow-float"
            >
              {isBad ? (
                <CircleAlert size={18} className="shrink-0 text-bad" />
              ) : icon === 'message' ? (
                <BellRing size={18} className="shrink-0 text-accent-text" />
              ) : (
                <CircleCheck size={18} className="shrink-0 text-good" />
              )}
              <p className="min-w-0 grow">
                {typeof text === 'string' ? text : <Countdown text={text} seconds={seconds} />}
              </p>
              {undo && (
                <button
                  type="button"
                  className="rounded-md px-2 py-1 font-semibold text-accent-text hover:bg-hover max-sm:-my-1 max-sm:min-h-11 shrink-0"
                  aria-keyshortcuts={icon === 'done' ? 'Control+Z Meta+Z' : undefined}
                  onClick={() => runUndo(notice)}
                >
                  {undo.label}
                </button>
              )}
              <button
                type="button"
                aria-label={t('dialog.close')}
                onClick={() => close(id)}
                className="-mr-1.5 grid size-7 place-items-center rounded-md text-soft hover:bg-hover"
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
