import { Select } from '../../parts/field.tsx';
import { groupName } from '../../texts/groups.ts';
import { t, word } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { useGroups } from '../groups.ts';
import { Pills } from '../pills.tsx';

/** The audience to notify and the department that organizes the event. */
export function Audience() {
  const { draft, edit, options } = useEditing();
  const groups = useGroups();
  return (
    <>
      <Pills
        label={t('editor.audience')}
        choices={options.target_audience.map((value) => ({ value, label: word('audience', value) }))}
        chosen={draft.target_audience}
        onChange={(target_audience) => edit({ target_audience })}
      />
      <Pills
        label={t('editor.grades')}
        hint={t('editor.gradesHint')}
        choices={groups.grades}
        chosen={draft.grade_level_ids}
        onChange={(grade_level_ids) => edit({ grade_level_ids })}
      />
      <div className="grid items-start gap-4 empty:hidden sm:grid-cols-2">
        <OneOf name="class_id" label={t('filter.class')} none={t('editor.allClasses')} choices={groups.classes} />
        <OneOf
          name="department_id"
          label={t('editor.department')}
          none={t('editor.noDepartment')}
          choices={groups.departments}
        />
      </div>
    </>
  );
}

type OneOfProps = {
  name: 'class_id' | 'department_id';
  label: string;
  none: string;
  choices: readonly { value: string; label: string }[];
};

function OneOf({ name, label, none, choices }: OneOfProps) {
  const { draft, edit, faultOf } = useEditing();
  const chosen = draft[name];
  if (choices.length === 0 && chosen === '') return null;
  const isGone = chosen !== '' && !choices.some(({ value }) => value === chosen);
  const gone = isGone ? [{ value: chosen, label: groupName(chosen) }] : [];
  return (
    <Select
      label={label}
      fault={faultOf(name)}
      value={chosen}
      onChange={(value) => edit({ [name]: value })}
      options={[{ value: '', label: none }, ...gone, ...choices]}
    />
  );
}
