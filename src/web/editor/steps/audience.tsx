import { useState } from 'react';
import { AudienceFields } from '../../event-parts/audience-fields.tsx';
import { useGroups } from '../../event-parts/groups.tsx';
import { iconOf } from '../../event-parts/icon.tsx';
import { PeoplePicker } from '../../event-parts/people-picker.tsx';
import { isDerived, type Restriction } from '../../event-parts/visibility.ts';
import { Fault, wordOptions } from '../../parts/forms/checkbox.tsx';
import { Pills } from '../../parts/forms/pills.tsx';
import { t, word } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { Cards } from '../inputs.tsx';

/** The people that the event is for: they are notified, and who can see it follows from them. */
export function Audience() {
  const { draft, edit, options, faultOf } = useEditing();
  const { visibility } = draft;
  const [isOpen, setOpen] = useState(!isDerived(draft));
  const isOnlyThem = visibility === 'restricted' && isDerived(draft);
  return (
    <section aria-labelledby="who-for" className="grid gap-4 rounded-xl border border-line p-4">
      <h3 id="who-for" className="font-medium">
        {t('editor.whoFor')}
      </h3>
      <AudienceFields audience={draft} fault={faultOf('class_id')} onChange={edit} />
      <details
        open={isOpen || faultOf('restricted_to') !== undefined}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="min-h-9 max-sm:min-h-11 cursor-pointer content-center rounded-lg font-medium hover:bg-hover">
          {t('editor.seenBy', { who: isOnlyThem ? t('editor.onlyThem') : word('visibility', visibility) })}
        </summary>
        <div className="mt-3 grid gap-4">
          <Cards
            name="visibility"
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

/** People and groups that may see a restricted event. */
function Restricted() {
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
