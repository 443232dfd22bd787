import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { Failure } from '../page.tsx';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> & { onSubmit: () => void };

/** A form that its page checks and sends, not the browser. The first faulty field gets the focus once the form was refused. */
export function Form({ onSubmit, ...rest }: FormProps) {
  /** the form that was sent, until a field is faulty or changes */
  const sent = useRef<HTMLFormElement>(null);
  const focusFault = () => {
    const fault = sent.current?.querySelector<HTMLElement>('[aria-invalid], [data-faulty] input');
    if (!fault) return;
    sent.current = null;
    fault.focus();
  };
  useEffect(focusFault);
  return (
    <form
      {...rest}
      noValidate
      onChange={() => {
        sent.current = null;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        sent.current = event.currentTarget;
        onSubmit();
        // Sent again with the same faults, the form does not render.
        requestAnimationFrame(focusFault);
      }}
    />
  );
}

/** A change whose failure the form shows, in place of a notice. */
export const useFormMutation: typeof useMutation = (options) => useMutation({ ...options, meta: { showsError: true } });

type Submit = { busy: boolean; disabled?: boolean };

const focusFirst = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('input, select, textarea')?.focus();

type InlineProps = Submit & {
  submit: string;
  error: unknown;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
};

/** A form that a button opens within a page; it takes the focus. Asks before a page is left on which a text was typed. */
export function InlineForm({ submit, error, onSubmit, onCancel, children, ...state }: InlineProps) {
  const [isTyped, setTyped] = useState(false);
  useLeaveQuestion(isTyped);
  return (
    <Form
      ref={focusFirst}
      className="grid gap-3 rounded-xl bg-paper p-3.5 text-ink"
      onInput={({ target }) => {
        if (/^text/.test((target as HTMLInputElement).type)) setTyped(true);
      }}
      onSubmit={onSubmit}
    >
      {children}
      <Failure error={error} />
      <div className="flex flex-wrap gap-2">
        <Button look="main" type="submit" className="min-h-11 grow" {...state}>
          {submit}
        </Button>
        <Button className="min-h-11" onClick={onCancel}>
          {t('dialog.cancel')}
        </Button>
      </div>
    </Form>
  );
}

type BarProps = Submit & { error: unknown; more?: ReactNode; children: ReactNode };

/** The button of a form that is a whole page, always in view, and `more` buttons before it. */
export const SubmitBar = ({ error, more, children, ...state }: BarProps) => (
  <div
    data-bar
    className="sticky bottom-0 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper py-3 max-md:bottom-14"
  >
    <Failure error={error} />
    {more}
    <Button type="submit" look="main" className="max-sm:w-full" {...state}>
      {children}
    </Button>
  </div>
);

/** Asks before the user leaves a page with unsaved changes, or closes it while they are being saved. */
export function useLeaveQuestion(isUnsaved: boolean, isSaving = false): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname && isUnsaved && !window.confirm(t('form.leave')),
    enableBeforeUnload: () => isUnsaved || isSaving,
  });
}
