import { Choice } from '../parts/forms/choice.tsx';
import { TypedField } from '../parts/forms/search-box.tsx';
import { Section } from '../parts/page.tsx';
import { clockTime } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { type NewPreferences, type Preferences, type Settings, useUpdatePreferences } from './queries.ts';

type QuietHours = NonNullable<NewPreferences['quiet_hours']> | null;

/** The hours in which messages that can wait are held back. */
export function QuietCard({ school, preferences }: { school: Settings['quiet_hours']; preferences: Preferences }) {
  const update = useUpdatePreferences();
  const now = (preferences.quiet_hours ?? null) as QuietHours;
  const put = (quiet_hours: QuietHours) => update.mutate((before) => ({ ...before, quiet_hours }));
  const kind = now === null ? 'school' : now === 'off' ? 'off' : 'own';
  return (
    <Section id="quiet" title={t('quiet.title')} text={t('quiet.text')}>
      <div className="grid gap-3">
        <Choice
          label={t('quiet.when')}
          value={kind}
          options={(['school', 'own', 'off'] as const).map((value) => ({ value, label: t(`quiet.${value}`) }))}
          onChange={(chosen) =>
            put({ school: null, off: 'off' as const, own: school ?? { from: '21:00', to: '07:00' } }[chosen])
          }
        />
        {kind === 'school' && (
          <p className="text-soft">
            {school
              ? t('quiet.schoolHours', { from: clockTime(school.from), to: clockTime(school.to) })
              : t('quiet.schoolNone')}
          </p>
        )}
        {now !== null && now !== 'off' && (
          <div className="grid max-w-72 grid-cols-2 gap-3">
            {(['from', 'to'] as const).map((end) => (
              <TypedField
                key={end}
                type="time"
                required
                label={t(`quiet.${end}`)}
                value={now[end]}
                onChange={(time) => put({ ...now, [end]: time })}
              />
            ))}
          </div>
        )}
      </div>
    </Section>
  );
}
