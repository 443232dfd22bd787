import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { useFormMutation } from './forms/form.tsx';
import { Failure } from './page.tsx';

type DialogProps<T> = Omit<ComponentProps<typeof ConfirmDialog>, 'busy' | 'onConfirm'> & {
  /** whether the form is complete; otherwise it shows what is missing */
  check?: () => boolean;
  run: () => Promise<T>;
  /** after the dialog has closed */
  onDone?: (result: T) => unknown;
};

/** Asks before an action. Closes once it is done, or says why it failed. */
export function AskDialog<T>({ check = () => true, run, onDone, children, ...dialog }: DialogProps<T>) {
  const { onClose } = dialog;
  const action = useFormMutation({
    mutationFn: run,
    onSuccess: (result) => {
      onClose();
      return onDone?.(result);
    },
  });
  return (
    <ConfirmDialog {...dialog} busy={action.isPending} onConfirm={() => check() && action.mutate()}>
      {children}
      <Failure error={action.error} />
    </ConfirmDialog>
  );
}

type Props = Pick<ComponentProps<typeof Button>, 'of' | 'icon' | 'look'> & {
  label: string;
  /** title of the question, and label of the button that confirms; otherwise `label` */
  title?: string;
  confirm?: string;
  run: () => Promise<unknown>;
  /** the question */
  children: ReactNode;
};

/** A button that asks before it acts. */
export function AskButton({ label, of, icon, look, confirm = label, run, children, ...more }: Props) {
  const { title = of ? `${label}: ${of}` : label } = more;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button of={of} icon={icon} look={look} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <AskDialog
          title={title}
          confirm={confirm}
          look={look === 'danger' ? 'danger' : 'main'}
          run={run}
          onClose={() => setAsking(false)}
        >
          <p>{children}</p>
        </AskDialog>
      )}
    </>
  );
}
