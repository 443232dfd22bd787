import type { SchoolEvent } from '../../api/types.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { t, word } from '../../texts/texts.ts';

type Props = {
  /** as someone else has changed it */
  event: SchoolEvent;
  onTake: (keepsMine: boolean) => void;
};

/** Says that someone else has changed the event, and offers what can become of the user's own changes. */
export function Stale({ event, onTake }: Props) {
  const refused = event.refusal_codes.edit;
  return (
    <div role="alert" className="mb-4 grid gap-3 rounded-card border border-warn bg-warn-soft p-4 text-warn">
      <p className="font-medium">
        {t('editor.stale')} {refused && `${word('problem', refused)} ${t('editor.copyFirst')}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {refused ? (
          <ButtonLink to="/events/$id" params={{ id: event.id }}>
            {t('editor.openEvent')}
          </ButtonLink>
        ) : (
          <>
            <Button onClick={() => onTake(false)}>{t('editor.takeTheirs')}</Button>
            <Button onClick={() => onTake(true)}>{t('editor.keepMine')}</Button>
          </>
        )}
      </div>
    </div>
  );
}
