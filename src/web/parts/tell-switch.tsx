import type { Foresight, SchoolEvent } from '../api/types.ts';
import { t } from '../texts/texts.ts';
import { Switch } from './switch.tsx';

type Props = {
  event: Pick<SchoolEvent, 'send_notifications'>;
  /** what would happen as it is chosen now */
  foresight: Pick<Foresight, 'audience'>;
  /** undefined: as the event has it */
  notify: boolean | undefined;
  onChange: (notify: boolean | undefined) => void;
};

/** Whether people are told of this one thing, where there is somebody to tell. */
export function TellSwitch({ event, foresight, notify, onChange }: Props) {
  if (Object.keys(foresight.audience).length === 0) return null;
  const usual = event.send_notifications;
  return (
    <Switch
      label={t('told.switch')}
      hint={usual ? undefined : t('told.switchHint')}
      checked={notify ?? usual}
      onChange={(tells) => onChange(tells === usual ? undefined : tells)}
    />
  );
}
