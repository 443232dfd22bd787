import { Button } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';
import type { useSteps } from './use-steps.ts';

type Props = {
  isDraft: boolean;
  mayPublish: boolean;
  /** whether the draft is stored, and may be finished */
  isStored: boolean;
  unsaved: boolean;
  steps: Pick<ReturnType<typeof useSteps>, 'back' | 'next' | 'go'>;
  onFinish: () => void;
  onPublish: () => void;
  onSave: () => void;
};

/** The buttons between the steps of an event, and those that end its form; the form's submit goes to the next step. */
export function Footer({ isDraft, mayPublish, isStored, unsaved, steps, onFinish, onPublish, onSave }: Props) {
  const { back, next, go } = steps;
  // On a phone, the buttons that end the form are on the last step only.
  const ending = next ? 'max-sm:hidden' : '';
  return (
    <footer className="-mx-4 -mb-4 flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
      {back && <Button onClick={() => go(back)}>{t('nav.back')}</Button>}
      <span className="grow" />
      {isDraft && (
        <Button look="quiet" className={ending} disabled={!isStored} onClick={onFinish}>
          {t('editor.finish')}
        </Button>
      )}
      {mayPublish && (
        <Button look={next ? 'plain' : 'main'} className={ending} onClick={onPublish}>
          {t('editor.publish')}
        </Button>
      )}
      {!isDraft && (
        <Button look={unsaved ? 'main' : 'plain'} disabled={!unsaved} onClick={onSave}>
          {t('form.save')}
        </Button>
      )}
      {next && (
        <Button type="submit" look={isDraft || !unsaved ? 'main' : 'plain'}>
          {t('editor.next')}
        </Button>
      )}
    </footer>
  );
}
