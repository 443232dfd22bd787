import { useEventOptions } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { wordOptions } from '../parts/forms/checkbox.tsx';
import { Pills } from '../parts/forms/pills.tsx';
import { t } from '../texts/texts.ts';
import { GroupSelect, useGroups } from './groups.tsx';
import { nextAudience } from './visibility.ts';

/** `class_id`: '' for all classes. */
type Audience = Pick<SchoolEvent, 'target_audience' | 'grade_level_ids'> & { class_id: string };
type Props = { audience: Audience; fault?: string; onChange: (change: Partial<Audience>) => void };

/** The people that an event or a message is for. */
export function AudienceFields({ audience, fault, onChange }: Props) {
  const options = useEventOptions();
  const { classes, grades } = useGroups();
  const { target_audience, class_id, grade_level_ids } = audience;
  return (
    <>
      <Pills
        label={t('people.label')}
        choices={wordOptions('audience', options?.target_audience ?? [])}
        chosen={target_audience}
        onChange={(chosen) => onChange({ target_audience: nextAudience(target_audience, chosen) })}
      />
      <div className="grid empty:hidden sm:max-w-sm">
        <GroupSelect
          name="class_id"
          label={t('filter.class')}
          none={t('filter.allClasses')}
          groups={classes}
          value={class_id}
          fault={fault}
          onChange={(id) => onChange({ class_id: id })}
        />
      </div>
      <Pills
        label={t('filter.grades')}
        hint={t('filter.gradesHint')}
        choices={grades}
        chosen={grade_level_ids}
        onChange={(ids) => onChange({ grade_level_ids: ids })}
      />
    </>
  );
}
