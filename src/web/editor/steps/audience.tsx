import { Field, inputClass } from '../../parts/field.tsx';
import { groupName } from '../../texts/groups.ts';
import { t, word } from '../../texts/texts.ts';
import { useEditing, useSet, useValue } from '../context.tsx';
import { useGroups } from '../groups.ts';
import { Pills } from '../pills.tsx';

/** The audience to notify and the department that organizes the event. */
export function Audience() {
  const { options } = useEditing();
  const chosen = useValue('target_audience');
  const grades = useValue('grade_level_ids');
  const groups = useGroups();
  const set = useSet();
  return (
    <>
      <Pills
        label={t('editor.audience')}
        choices={options.target_audience.map((value) => ({ value, label: word('audience', value) }))}
        chosen={chosen}
        onChange={(next) => set('target_audience', next)}
      />
      <Pills
        label={t('editor.grades')}
        hint={t('editor.gradesHint')}
        choices={groups.grades}
        chosen={grades}
        onChange={(next) => set('grade_level_ids', next)}
      />
      <div className="grid items-start gap-4 empty:hidden sm:grid-cols-2">
        <OneOf name="class_id" label={t('editor.class')} none={t('editor.allClasses')} choices={groups.classes} />
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
  const { faultOf } = useEditing();
  const chosen = useValue(name);
  const set = useSet();
  if (choices.length === 0 && chosen === '') return null;
  const isGone = chosen !== '' && !choices.some(({ value }) => value === chosen);
  return (
    <Field label={label} fault={faultOf(name)}>
      {(props) => (
        <select {...props} value={chosen} onChange={({ target }) => set(name, target.value)} className={inputClass}>
          <option value="">{none}</option>
          {isGone && <option value={chosen}>{groupName(chosen)}</option>}
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
