import { Trash2 } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';

/** Changes one item of a list, or removes it (null). */
export const changed = <T,>(list: readonly T[], at: number, more: Partial<T> | null): T[] =>
  list.flatMap((one, i) => (i !== at ? one : more === null ? [] : { ...one, ...more }));

/** A button that removes `what` from a list. */
export const RemoveButton = ({
  what,
  onClick,
  className = '',
}: {
  what: string;
  onClick: () => void;
  className?: string;
}) => (
  <Button look="quiet" aria-label={t('form.remove', { what })} onClick={onClick} className={`min-h-10 ${className}`}>
    <Trash2 size={17} />
  </Button>
);
