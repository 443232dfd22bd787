import { Button } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';

type Props = {
  /** goes to the previous step, if there is one */
  back: (() => void) | undefined;
  isLast: boolean;
  isDraft: boolean;
  mayPublish: boolean;
  /** whether the server has the event */
  isSaved: boolean;
  unsaved: boolean;
  onFinish: () => void;
  onPublish: () => void;
  onSave: () => void;
};

/** The buttons below each step; on a phone, those that end the form appear on the last step only. */
export function Footer({ back, isLast, isDraft, mayPublish, isSaved, unsaved, onFinish, onPublish, onSave }: Props) {
  const hidden = isLast ? '' : 'max-sm:hidden';
  return (
    <footer className="-mx-4 -mb-4 flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
      {back && <Button onClick={back}>{t('editor.back')}</Button>}
      <span className="grow" />
      {isDraft ? (
        <>
          <Button look="quiet" className={hidden} disabled={!isSaved} onClick={onFinish}>
            {t('editor.finish')}
          </Button>
          {mayPublish && (
            <Button look={isLast ? 'main' : 'plain'} className={hidden} onClick={onPublish}>
              {t('editor.publish')}
            </Button>
          )}
        </>
      ) : (
        <Button look={unsaved ? 'main' : 'plain'} disabled={!unsaved} onClick={onSave}>
          {t('form.save')}
        </Button>
      )}
      {!isLast && (
        <Button type="submit" look={isDraft || !unsaved ? 'main' : 'plain'}>
          {t('editor.next')}
        </Button>
      )}
    </footer>
  );
}
