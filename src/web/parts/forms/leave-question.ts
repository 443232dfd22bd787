import { useBlocker } from '@tanstack/react-router';
import { t } from '../../texts/texts.ts';

/** Asks before the user leaves a page with unsaved changes. */
export function useLeaveQuestion(isUnsaved: boolean): void {
  useBlocker({
    shouldBlockFn: () => isUnsaved && !window.confirm(t('form.leave')),
    enableBeforeUnload: () => isUnsaved,
  });
}
