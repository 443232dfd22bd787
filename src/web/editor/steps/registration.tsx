import { zoneText } from '../../texts/dates.ts';
import { t, word } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { offersSlots } from '../draft/body.ts';
import { Cards, Input, Toggle } from '../inputs.tsx';
import { Meetings } from './meetings.tsx';
import { Questions } from './questions.tsx';

/** Step 4: the registration type and the fields that the API requires for it. */
export function Registration() {
  const { draft, options, event } = useEditing();
  const rule = options.registration_types.find(({ value }) => value === draft.registration_type);
  return (
    <>
      <Cards
        name="registration_type"
        columns="sm:grid-cols-2"
        choices={options.registration_types.map(({ value }) => ({
          value,
          label: word('registration', value),
          hint: word('registrationHint', value, ''),
        }))}
      />
      {draft.registration_type !== 'none' && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Input
              name="max_attendees"
              type="number"
              min="1"
              hint={
                event && event.current_attendees > 0 ? t('editor.taken', { count: event.current_attendees }) : undefined
              }
            />
            <Input
              name="registration_deadline"
              type="datetime-local"
              hint={t('editor.zone', { zone: zoneText(draft.timezone) })}
            />
          </div>
          {draft.event_type === 'parent_teacher' && <Meetings />}
          {!offersSlots(draft) && <Toggle name="waitlist_enabled" hint={t('editor.waitlistHint')} />}
          <Toggle name="requires_approval" hint={t('editor.approvalHint')} />
          <Questions />
        </>
      )}
      {rule?.needs_cost && (
        <div className="grid grid-cols-2 gap-4 sm:max-w-sm">
          <Input name="cost" inputMode="decimal" />
          <Input name="currency" placeholder="CZK" className="uppercase placeholder:normal-case" />
        </div>
      )}
      <Input name="registration_url" type="url" hint={t('editor.registrationUrlHint')} />
    </>
  );
}
