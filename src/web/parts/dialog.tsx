import { useBlocker } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { t } from '../texts/texts.ts';
import { Button, IconButton, type Look } from './button.tsx';
import { Form } from './forms/form.tsx';
import { focusBack } from './keep-focus.ts';
import { Announcement, announce } from './notices.tsx';

type Props = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** buttons in the footer */
  actions?: ReactNode;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  /** at the top of a phone, where the keyboard on the screen does not cover it */
  isAtTop?: boolean;
};

/** Gets the first focus. Without one the dialog has it, so that screen readers read its question before the answers. */
const FIELD = ':is(input:not([type=radio], [type=checkbox]), select, textarea):enabled';

/** A modal dialog: the browser's `<dialog>`, with its focus trap, Esc and inert page. */
export function Dialog({ title, onClose, children, actions, onKeyDown, isAtTop = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [isTyped, setTyped] = useState(false);
  /** Asks first if something was typed: on Esc, on a press outside, and before another page. */
  const mayDiscard = () => !isTyped || window.confirm(t('dialog.discard'));
  const dismiss = () => mayDiscard() && onClose();
  useBlocker({ shouldBlockFn: () => !mayDiscard(), disabled: !isTyped });
  /** The browser’s back button leaves the page that the dialog asks about, or a step of it. */
  const onBack = useEffectEvent(() => !isTyped && onClose());
  useEffect(() => {
    const dialog = ref.current;
    const back = focusBack(document.activeElement);
    dialog?.showModal();
    announce('');
    (dialog?.querySelector<HTMLElement>(FIELD) ?? dialog)?.focus();
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('popstate', onBack);
      dialog?.close();
      back();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      aria-labelledby={heading}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      // A press on the backdrop: the dialog has no padding, so nothing else targets it.
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) dismiss();
      }}
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement) setTyped(true);
      }}
      // It grows downwards only, so that no field moves. On a phone it opens from the bottom, unless it is at the top.
      className={`w-[min(34rem,calc(100vw-1.5rem))] rounded-2xl border border-line bg-card p-0 text-ink shadow-float outline-none backdrop:bg-black/45 max-sm:mx-0 max-sm:w-full max-sm:max-w-none sm:mt-[12dvh] ${isAtTop ? 'max-sm:mt-0 max-sm:rounded-t-none' : 'max-sm:mb-0 max-sm:rounded-b-none'}`}
    >
      <div className="flex max-h-[85dvh] flex-col">
        <h2 id={heading} className="min-h-15 pt-4 pr-16 pb-2 pl-5 text-lg max-sm:min-h-17 leading-snug font-semibold">
          {title}
        </h2>
        <div className="overflow-y-auto px-5 pb-4">{children}</div>
        {actions && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</footer>
        )}
      </div>
      {/* After the buttons of the footer for the Tab key. */}
      <IconButton label={t('dialog.close')} onClick={onClose} icon={X} className="absolute top-4 right-3" />
      <Announcement />
    </dialog>
  );
}

type ConfirmProps = Omit<Props, 'actions'> & {
  /** label of the button that confirms; null: there is none */
  confirm: string | null;
  look?: Look;
  cancel?: string;
  busy?: boolean;
  disabled?: boolean;
  /** buttons between cancel and confirm */
  others?: ReactNode;
  onConfirm: () => void;
};

/** Whether Ctrl+Enter, or ⌘+Enter, was pressed. */
export const isConfirmKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey);

/** A dialog that asks before an action. It is a form, so Enter in a field confirms, and Ctrl+Enter anywhere. */
export function ConfirmDialog({ confirm, look = 'main', cancel, busy, disabled, ...more }: ConfirmProps) {
  const { title, onClose, others, onConfirm, children } = more;
  const form = useId();
  const submit = () => {
    if (confirm !== null && !busy && !disabled) onConfirm();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{cancel ?? t('dialog.cancel')}</Button>
      {others}
      {confirm !== null && (
        <Button
          type="submit"
          form={form}
          look={look}
          busy={busy}
          disabled={disabled}
          // A double click on what opens the dialog may end here.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {confirm}
        </Button>
      )}
    </>
  );
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={actions}
      onKeyDown={(event) => {
        if (!isConfirmKey(event)) return;
        event.preventDefault();
        event.currentTarget.querySelector('form')?.requestSubmit();
      }}
    >
      <Form id={form} className="grid gap-4" onSubmit={submit}>
        {children}
      </Form>
    </Dialog>
  );
}
