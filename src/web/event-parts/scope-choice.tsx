import { useEventOptions } from '../api/queries.ts';
import type { DryRun, Options, SchoolEvent } from '../api/types.ts';
import { Choice } from '../parts/forms/choice.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { shortDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';

export type Scope = Options['edit_scopes'][number];

/** Chooses the dates of a series that an action concerns. */
export function ScopeChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  const options = useEventOptions()?.edit_scopes.map((value) => ({ value, label: t(`scope.${value}`) })) ?? [];
  return <Choice label={t('scope.label')} value={scope} options={options} onChange={onChange} />;
}

/** The dates of a series that an action concerns, and those that it leaves as they are. */
export const ConcernedDates = ({ changed, left_out }: NonNullable<DryRun['occurrences']>) => (
  <div className="grid gap-1">
    {changed.length > 0 && <p>{t('series.dates', { dates: listOfDates(changed) })}</p>}
    {left_out.length > 0 && <p className="text-soft">{t('series.same', { dates: listOfDates(left_out) })}</p>}
  </div>
);

/** Further dates are only counted, so that what follows them is not far below. */
const NAMED = 40;

export function listOfDates(rows: readonly { start_date: string }[]): string {
  const dates = rows.slice(0, NAMED).map(({ start_date }) => shortDay(start_date));
  const more = rows.length - dates.length;
  return [dates.join(', '), more > 0 && t('list.more', { count: more })].filter(Boolean).join(' ');
}

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
      value={notify ?? setting}
      onChange={(on) => onChange(on === setting ? undefined : on)}
    />
  );
}
