import { GroupSelect, useGroups } from '../../event-parts/groups.tsx';
import { PeoplePicker } from '../../event-parts/people-picker.tsx';
import { Select, TextField, wordOptions } from '../../parts/forms/field.tsx';
import { t } from '../../texts/texts.ts';
import { partsOf, useEditing, useField } from '../context.tsx';

const TYPES = ['staff', 'department', 'organization'] as const;

/** Who organizes the event: a person with rights to it, a department, and the name and address that people see. */
export function Organizer() {
  const { draft, edit, faultOf } = useEditing();
  const { departments } = useGroups();
  const field = useField();
  const { organizer, organizer_id } = draft;
  const part = partsOf('organizer.', organizer, (more) => edit({ organizer: { ...organizer, ...more } }), faultOf);
  return (
    <section className="grid gap-4 rounded-xl border border-line p-4">
      <h3 className="font-medium">{t('event.organizer')}</h3>
      <PeoplePicker
        label={t('editor.organizerPerson')}
        hint={t('editor.organizerHint')}
        chosen={organizer_id === '' ? [] : [organizer_id]}
        onChange={(ids) => edit({ organizer_id: ids.at(-1) ?? '' })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <GroupSelect none={t('editor.noDepartment')} groups={departments} {...field('department_id')} />
        <Select
          label={t('editor.organizerType')}
          options={wordOptions<string>('organizerType', TYPES)}
          {...part('type')}
        />
        <TextField label={t('editor.organizerName')} {...part('name')} />
        <TextField
          type="email"
          label={t('editor.organizerEmail')}
          hint={t('editor.organizerEmailHint')}
          {...part('email')}
        />
      </div>
    </section>
  );
}
