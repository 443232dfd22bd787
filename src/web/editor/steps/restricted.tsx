import { t, word } from '../../texts/texts.ts';
import { useEditing, useSet, useValue } from '../context.tsx';
import type { Restriction } from '../draft.ts';
import { useGroups } from '../groups.ts';
import { PeoplePicker } from '../people-picker.tsx';
import { Pills } from '../pills.tsx';

/** People and groups that may see a restricted event. */
export function Restricted() {
  const { options, faultOf } = useEditing();
  const limits = useValue('restricted_to');
  const { classes, grades, departments } = useGroups();
  const set = useSet();
  const change = (more: Partial<Restriction>) => set('restricted_to', { ...limits, ...more });
  const isEmpty = Object.values(limits).every((list) => list.length === 0);
  const fault = faultOf('restricted_to');
  return (
    <section aria-label={t('editor.restricted')} className="grid gap-5 rounded-xl border border-line p-4">
      <p className="text-sm text-soft">{t('editor.restrictedHint')}</p>
      <PeoplePicker chosen={limits.user_ids} onChange={(user_ids) => change({ user_ids })} />
      <Pills
        label={t('editor.roles')}
        choices={options.roles.map((value) => ({ value, label: word('role', value) }))}
        chosen={limits.roles}
        onChange={(roles) => change({ roles })}
      />
      <Pills
        label={t('editor.classes')}
        choices={classes}
        chosen={limits.class_ids}
        onChange={(class_ids) => change({ class_ids })}
      />
      <Pills
        label={t('editor.grades')}
        choices={grades}
        chosen={limits.grade_level_ids}
        onChange={(grade_level_ids) => change({ grade_level_ids })}
      />
      <Pills
        label={t('editor.departments')}
        choices={departments}
        chosen={limits.department_ids}
        onChange={(department_ids) => change({ department_ids })}
      />
      <p role="status" className="text-sm font-medium text-warn empty:hidden">
        {isEmpty ? t('editor.restrictedNoOne') : ''}
      </p>
      {fault && <p className="text-sm font-medium text-bad">{fault}</p>}
    </section>
  );
}
