import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { Failure } from '../page.tsx';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: (form: HTMLFormElement) => void };

/** A form that its page sends, not the browser. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(event.currentTarget);
    }}
  />
);

/** Focuses the first faulty field of a form, once the page shows which are. */
export const focusFault = (form: HTMLElement): void =>
  void requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid], [data-faulty] input')?.focus());

type Submit = { busy: boolean; disabled?: boolean };

/** The buttons of a form within a page. */
export const FormButtons = ({ submit, onCancel, ...state }: Submit & { submit: string; onCancel: () => void }) => (
  <div className="flex flex-wrap gap-2">
    <Button look="main" type="submit" className="min-h-11 grow" {...state}>
      {submit}
    </Button>
    <Button className="min-h-11" onClick={onCancel}>
      {t('dialog.cancel')}
    </Button>
  </div>
);

/** The button of a form that is a whole page, always in view. */
export const SubmitBar = ({ error, children, ...state }: Submit & { error: unknown; children: ReactNode }) => (
  <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper py-3 max-md:bottom-14">
    <Failure error={error} />
    <Button type="submit" look="main" className="max-sm:min-h-11 max-sm:w-full" {...state}>
      {children}
    </Button>
  </div>
);
