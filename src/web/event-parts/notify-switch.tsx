import type { DryRun, SchoolEvent } from '../api/types.ts';
import { Switch } from '../parts/forms/switch.tsx';
import { t } from '../texts/texts.ts';

type Props = {
  event: Pick<SchoolEvent, 'send_notifications'>;
  /** preview with the current choice */
  dryRun: Pick<DryRun, 'audience'>;
  /** undefined: the event's own setting */
  notify: boolean | undefined;
  onChange: (notify: boolean | undefined) => void;
};

/** Turns notifications of this one action on or off; hidden if there are no recipients. */
export function NotifySwitch({ event, dryRun, notify, onChange }: Props) {
  if (Object.keys(dryRun.audience).length === 0) return null;
  const setting = event.send_notifications;
  return (
    <Switch
      label={t('notify.switch')}
      hint={setting ? undefined : t('notify.switchHint')}
      checked={notify ?? setting}
      onChange={(on) => onChange(on === setting ? undefined : on)}
    />
  );
}
