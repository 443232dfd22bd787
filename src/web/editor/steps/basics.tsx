import { useState } from 'react';
import { toneOf } from '../../event-parts/badge.tsx';
import { AudienceFields, useGroups } from '../../event-parts/groups.tsx';
import { iconOf } from '../../event-parts/icon.tsx';
import { PeoplePicker } from '../../event-parts/picker.tsx';
import { isDerived } from '../../event-parts/visibility.ts';
import { Chip } from '../../parts/button.tsx';
import { Fault } from '../../parts/forms/checkbox.tsx';
import { TextArea, TextField } from '../../parts/forms/field.tsx';
import { partsOf } from '../../parts/forms/parts-of.ts';
import { Pills } from '../../parts/forms/pills.tsx';
import { Translations } from '../../parts/forms/translations.tsx';
import { t, word, wordOptions } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { Cards, Input, Toggle } from '../inputs.tsx';

/** Show the length of the description from this share of the maximum. */
const LONG = 0.8;

/** Step 1: title, type, audience and description. */
export function Basics() {
  const { draft, edit, options, event, field } = useEditing();
  const { event_type: type, title, description } = draft;
  const max = options.limits.description;
  const { suggested_titles = [] } = options.event_types.find(({ value }) => value === type) ?? {};
  return (
    <>
      <div className="grid gap-2">
        <Input name="title" className="text-lg" autoFocus={event === null} />
        {suggested_titles.length > 0 && (
          <ul aria-label={t('editor.suggestions')} className="flex flex-wrap gap-1.5">
            {suggested_titles.map((one) => (
              <li key={one}>
                <Chip pressed={title === one} onClick={() => edit({ title: one })}>
                  {one}
                </Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Cards
        name="event_type"
        columns="grid-cols-[repeat(auto-fill,minmax(min(7rem,100%),1fr))] sm:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))]"
        choices={options.event_types.map(({ value, icon, color }) => ({
          value,
          label: word('type', value),
          icon: iconOf(icon),
          tone: toneOf(color),
        }))}
      />
      <Audience />
      <TextArea
        hint={description.length > LONG * max ? t('editor.length', { count: description.length, max }) : undefined}
        rows={5}
        {...field('description')}
      />
      <TranslatedEvent />
      <Toggle name="is_featured" hint={t('editor.featuredHint')} />
    </>
  );
}

const EMPTY = { title: '', description: '' };

/** Title and description in other languages. */
function TranslatedEvent() {
  const { draft, edit, faultOf } = useEditing();
  return (
    <Translations translations={draft.translations} empty={EMPTY} onChange={(translations) => edit({ translations })}>
      {(words, change, tag, name) => {
        const part = partsOf(`translations.${tag}.`, words, (more) => change({ ...words, ...more }), faultOf);
        return (
          <>
            <TextField
              lang={tag}
              autoComplete="off"
              label={t('editor.translation.title', name)}
              hint={t('editor.translation.hint')}
              {...part('title')}
            />
            <TextArea lang={tag} label={t('editor.translation.description', name)} rows={4} {...part('description')} />
          </>
        );
      }}
    </Translations>
  );
}

/** The people that the event is for: they are notified, and who can see it follows from them. */
function Audience() {
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
  const part = partsOf('', limits, (more) => edit({ restricted_to: { ...limits, ...more } }));
  const groups = [
    ['class_ids', t('editor.classes'), classes],
    ['grade_level_ids', t('filter.grades'), grades],
    ['department_ids', t('editor.departments'), departments],
  ] as const;
  const isEmpty = Object.values(limits).every((list) => list.length === 0);
  return (
    <section aria-label={t('visibility.restricted')} className="grid gap-5 rounded-xl border border-line p-4">
      <p className="text-sm text-soft">{t('editor.restrictedHint')}</p>
      <PeoplePicker label={t('people.label')} {...part('user_ids')} name="restricted_to" />
      <Pills label={t('editor.roles')} choices={wordOptions('role', options.roles)} {...part('roles')} />
      {groups.map(([name, label, choices]) => (
        <Pills key={name} label={label} choices={choices} {...part(name)} />
      ))}
      <p role="status" className="text-sm font-medium text-warn empty:hidden">
        {isEmpty ? t('editor.restrictedNoOne') : ''}
      </p>
      <Fault>{faultOf('restricted_to')}</Fault>
    </section>
  );
}
