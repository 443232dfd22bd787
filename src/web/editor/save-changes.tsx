import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventChanged, optionsQuery } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { AudienceTold } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { notify as say } from '../parts/notices.tsx';
import { TellSwitch } from '../parts/tell-switch.tsx';
import { t } from '../texts/texts.ts';
import type { Draft } from './draft.ts';
import type { Saving, Scope } from './saving.ts';

type Props = {
  event: SchoolEvent;
  saving: Saving;
  draft: Draft;
  /** with the field that is wrong, if one is */
  onClose: (fault?: string) => void;
  onDone: () => void;
};

/** Shows what an edit of something that others see would do, and then does it. */
export function SaveChanges({ event, saving, draft, onClose, onDone }: Props) {
  const { data: options } = useQuery(optionsQuery);
  const [scope, setScope] = useState<Scope>('this');
  const [notify, setNotify] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  const patch = saving.unsaved(draft);
  const { data } = useQuery({
    queryKey: ['foresee', 'edit', event.id, event.updated_at, patch, scope, notify],
    queryFn: async () => {
      const foreseen = await saving.foresee(patch, scope, notify);
      if (!foreseen) onClose(Object.keys(saving.state().faults)[0]);
      return foreseen;
    },
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const save = async () => {
    setBusy(true);
    if (await saving.sendAll(patch, scope, notify)) {
      say(t('editor.savedAll'));
      await eventChanged(event.id);
      onDone();
    } else onClose(Object.keys(saving.state().faults)[0]);
  };
  const actions = (
    <>
      <Button onClick={() => onClose()}>{t('publish.back')}</Button>
      <Button look="main" disabled={!data} busy={busy} onClick={() => void save()}>
        {t('editor.save')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('editor.saveTitle')} onClose={() => onClose()} actions={actions}>
      <div className="grid gap-4">
        {event.is_recurring && (
          <fieldset className="grid gap-2">
            <legend className="mb-1 font-medium">{t('editor.scope')}</legend>
            {options?.edit_scopes.map((one) => (
              <label key={one} className="flex min-h-8 items-center gap-2.5">
                <input
                  type="radio"
                  name="scope"
                  checked={scope === one}
                  onChange={() => setScope(one)}
                  className="size-4 accent-(--color-accent)"
                />
                {t(`scope.${one}`)}
              </label>
            ))}
          </fieldset>
        )}
        {data ? (
          <>
            <AudienceTold foresight={data} nobody={t('editor.tellsNobody')} />
            <TellSwitch event={event} foresight={data} notify={notify} onChange={setNotify} />
          </>
        ) : (
          <Waiting lines={2} label={t('publish.asking')} />
        )}
      </div>
    </Dialog>
  );
}
