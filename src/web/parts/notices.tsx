import { BellRing, CircleAlert, CircleCheck, X } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { createStore, useStore } from './store.ts';

type Notice = {
  id: number;
  text: string;
  isBad: boolean;
  icon: 'done' | 'message';
  undo?: { label: string; run: () => void };
};

const shown = createStore<readonly Notice[]>([]);
const announced = createStore('');
let last = 0;

const close = (id: number) => shown.set(shown.get().filter((one) => one.id !== id));

/** Shows a notice at the edge of the page; it disappears after a while unless it reports a failure. */
export function showNotice(
  text: string,
  more: { bad?: boolean; undo?: Notice['undo']; icon?: Notice['icon'] } = {},
): void {
  const id = ++last;
  const { bad = false, undo, icon = 'done' } = more;
  shown.set([...shown.get().slice(-2), { id, text, icon, isBad: bad, ...(undo ? { undo } : {}) }]);
  if (!bad) setTimeout(() => close(id), undo ? 10_000 : 5_000);
}

/** Announces a text to screen readers only. */
export const announce = announced.set;

/** Renders the notices and the live region; once per page. */
export function Notices() {
  const notices = useStore(shown);
  const announcement = useStore(announced);
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
        {notices.map(({ id, text, icon, isBad, undo }) => (
          <div
            key={id}
            role={isBad ? 'alert' : 'status'}
            className="pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2.5 shadow-float"
          >
            {isBad ? (
              <CircleAlert size={18} aria-hidden className="shrink-0 text-bad" />
            ) : icon === 'message' ? (
              <BellRing size={18} aria-hidden className="shrink-0 text-accent-text" />
            ) : (
              <CircleCheck size={18} aria-hidden className="shrink-0 text-good" />
            )}
            <p className="min-w-0 grow">{text}</p>
            {undo && (
              <button
                type="button"
                className="rounded-md px-2 py-1 font-semibold text-accent-text hover:bg-hover"
                onClick={() => {
                  close(id);
                  undo.run();
                }}
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
              <X size={15} aria-hidden />
            </button>
          </div>
        ))}
      </section>
    </>
  );
}
