import { useState } from 'react';
import { iconOf } from '../../event-parts/icon.tsx';
import { isDerived, nextAudience } from '../../event-parts/visibility.ts';
import { Select, wordOptions } from '../../parts/forms/field.tsx';
import { Pills } from '../../parts/forms/pills.tsx';
import { groupName } from '../../texts/groups.ts';
import { t, word } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { useGroups } from '../groups.ts';
import { Cards } from '../inputs.tsx';
import { Restricted } from './restricted.tsx';

/** The people that the event is for: they are notified, and who can see it follows from them. */
export function Audience() {
  const { draft, edit, options, faultOf } = useEditing();
  const { classes, grades } = useGroups();
  const { target_audience, grade_level_ids, visibility } = draft;
  const [isOpen, setOpen] = useState(!isDerived(draft));
  const isOnlyThem = visibility === 'restricted' && isDerived(draft);
  return (
    <section aria-labelledby="who-for" className="grid gap-4 rounded-xl border border-line p-4">
      <h3 id="who-for" className="font-medium">
        {t('editor.whoFor')}
      </h3>
      <Pills
        label={t('people.label')}
        choices={wordOptions('audience', options.target_audience)}
        chosen={target_audience}
        onChange={(chosen) => edit({ target_audience: nextAudience(target_audience, chosen) })}
      />
      <div className="grid gap-4 empty:hidden sm:max-w-sm">
        <OneOf name="class_id" label={t('filter.class')} none={t('editor.allClasses')} choices={classes} />
      </div>
      <Pills
        label={t('editor.grades')}
        hint={t('editor.gradesHint')}
        choices={grades}
        chosen={grade_level_ids}
        onChange={(chosen) => edit({ grade_level_ids: chosen })}
      />
      <details
        open={isOpen || faultOf('restricted_to') !== undefined}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="min-h-9 cursor-pointer content-center rounded-lg font-medium hover:bg-hover">
          {t('editor.seenBy', { who: isOnlyThem ? t('editor.onlyThem') : word('visibility', visibility) })}
        </summary>
        <div className="mt-3 grid gap-4">
          <Cards
            name="visibility"
            label={t('filter.more')}
            columns="sm:grid-cols-2 lg:grid-cols-3"
            choices={options.visibility.map(({ value, icon }) => ({
              value,
              label: word('visibility', value),
              icon: iconOf(icon),
            }))}
          />
          {visibility === 'restricted' && <Restricted />}
        </div>
      </details>
    </section>
  );
}

type OneOfProps = {
  name: 'class_id' | 'department_id';
  label: string;
  none: string;
  choices: readonly { value: string; label: string }[];
};

/** One group of a kind, or none. */
export function OneOf({ name, label, none, choices }: OneOfProps) {
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
      none={none}
      options={[...gone, ...choices]}
    />
  );
}
