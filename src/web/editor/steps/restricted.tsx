import { useGroups } from '../../event-parts/groups.tsx';
import { PeoplePicker } from '../../event-parts/people-picker.tsx';
import type { Restriction } from '../../event-parts/visibility.ts';
import { Fault, wordOptions } from '../../parts/forms/field.tsx';
import { Pills } from '../../parts/forms/pills.tsx';
import { t } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';

/** People and groups that may see a restricted event. */
export function Restricted() {
  const { draft, edit, options, faultOf } = useEditing();
  const limits = draft.restricted_to;
  const { classes, grades, departments } = useGroups();
  const change = (more: Partial<Restriction>) => edit({ restricted_to: { ...limits, ...more } });
  const groups = [
    ['class_ids', t('editor.classes'), classes],
    ['grade_level_ids', t('filter.grades'), grades],
    ['department_ids', t('editor.departments'), departments],
  ] as const;
  const isEmpty = Object.values(limits).every((list) => list.length === 0);
  return (
    <section aria-label={t('visibility.restricted')} className="grid gap-5 rounded-xl border border-line p-4">
      <p className="text-sm text-soft">{t('editor.restrictedHint')}</p>
      <PeoplePicker
        name="restricted_to"
        label={t('people.label')}
        chosen={limits.user_ids}
        onChange={(user_ids) => change({ user_ids })}
      />
      <Pills
        label={t('editor.roles')}
        choices={wordOptions('role', options.roles)}
        chosen={limits.roles}
        onChange={(roles) => change({ roles })}
      />
      {groups.map(([name, label, choices]) => (
        <Pills
          key={name}
          label={label}
          choices={choices}
          chosen={limits[name]}
          onChange={(ids) => change({ [name]: ids })}
        />
      ))}
      <p role="status" className="text-sm font-medium text-warn empty:hidden">
        {isEmpty ? t('editor.restrictedNoOne') : ''}
      </p>
      <Fault>{faultOf('restricted_to')}</Fault>
    </section>
  );
}
