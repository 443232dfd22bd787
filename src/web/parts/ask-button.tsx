import { useMutation } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, type Look } from './button.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { Failure } from './page.tsx';

type Props = {
  label: string;
  /** what it acts on, if there are several such buttons */
  of?: string;
  icon?: LucideIcon;
  look?: Look;
  /** title of the question, and label of the button that confirms; otherwise `label` */
  title?: string;
  confirm?: string;
  run: () => Promise<unknown>;
  /** the question */
  children: ReactNode;
};

/** A button that asks before it acts. */
export function AskButton({ label, of, icon, look, confirm = label, run, children, ...more }: Props) {
  const named = of ? `${label}: ${of}` : label;
  const { title = named } = more;
  const [isAsking, setAsking] = useState(false);
  const action = useMutation({ mutationFn: run, meta: { showsError: true }, onSuccess: () => setAsking(false) });
  return (
    <>
      <Button aria-label={of && named} icon={icon} look={look} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          confirm={confirm}
          look={look === 'danger' ? 'danger' : 'main'}
          busy={action.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => action.mutate()}
        >
          <p>{children}</p>
          <Failure error={action.error} />
        </ConfirmDialog>
      )}
    </>
  );
}
