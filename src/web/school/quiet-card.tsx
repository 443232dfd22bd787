import { TextField } from '../parts/forms/field.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import type { Part } from './page.tsx';

/** The hours in which messages that can wait are held back, unless a person chose their own. */
export function QuietCard({ body, change, faultOf }: Part) {
  const { quiet_hours: hours = null } = body;
  return (
    <Section title={t('quiet.title')} text={t('school.quiet.text')}>
      <div className="grid gap-3">
        <Switch
          label={t('school.quiet')}
          hint={t('school.quiet.hint')}
          checked={hours !== null}
          onChange={(isOn) => change({ quiet_hours: isOn ? { from: '21:00', to: '07:00' } : null })}
        />
        {hours && (
          <div className="grid max-w-72 grid-cols-2 gap-3">
            {(['from', 'to'] as const).map((end) => (
              <TextField
                key={end}
                type="time"
                label={t(`quiet.${end}`)}
                value={hours[end]}
                fault={faultOf(`/quiet_hours/${end}`)}
                onChange={(time) => change({ quiet_hours: { ...hours, [end]: time } })}
              />
            ))}
          </div>
        )}
      </div>
    </Section>
  );
}
