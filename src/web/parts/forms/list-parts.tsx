import { Trash2 } from 'lucide-react';
import { t } from '../../texts/texts.ts';
import { IconButton } from '../button.tsx';

/** Changes one item of a list, or removes it (null). */
export const changed = <T,>(list: readonly T[], at: number, more: Partial<T> | null): T[] =>
  list.flatMap((one, i) => (i !== at ? one : more === null ? [] : { ...one, ...more }));

type Props = { what: string; onClick: () => void; className?: string };

/** A button that removes `what` from a list. */
export const RemoveButton = ({ what, onClick, className = '' }: Props) => (
  <IconButton
    icon={Trash2}
    label={t('form.remove', { what })}
    // The second click of a double click would remove the next item.
    onClick={({ detail }) => detail < 2 && onClick()}
    className={`min-h-10 ${className}`}
  />
);
