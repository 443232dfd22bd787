import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import { errorText, mayPass } from '../../api/problem.ts';
import { t } from '../../texts/texts.ts';
import type { FormState } from '../form.ts';

type Props = Pick<FormState, 'phase' | 'error'> & { autosaves: boolean; onRetry: () => void };

/** Whether the server has all changes. */
export function SaveMark({ phase, error, autosaves, onRetry }: Props) {
  if (phase === 'failed')
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 font-medium text-bad">
        <CircleAlert size={16} />
        {errorText(error)}
        {mayPass(error) && (
          <button type="button" onClick={onRetry} className="min-h-6 underline">
            {t('trouble.again')}
          </button>
        )}
      </p>
    );
  if (!autosaves) return null;
  const isSaving = phase === 'saving' || phase === 'typing';
  return (
    <p role="status" className="flex min-h-6 items-center gap-1.5 text-sm text-soft">
      {isSaving && <LoaderCircle size={15} className="animate-spin" />}
      {phase === 'saved' && <Check size={15} className="text-good" />}
      {t(`editor.phase.${isSaving ? 'saving' : phase}`)}
    </p>
  );
}
