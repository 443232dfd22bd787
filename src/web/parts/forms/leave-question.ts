import { useBlocker } from '@tanstack/react-router';
import { t } from '../../texts/texts.ts';

/** Asks before the user leaves a page with unsaved changes, or closes it while they are being saved. */
export function useLeaveQuestion(isUnsaved: boolean, isSaving = false): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname && isUnsaved && !window.confirm(t('form.leave')),
    enableBeforeUnload: () => isUnsaved || isSaving,
  });
}
