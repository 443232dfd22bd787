import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../api/queries.ts';
import { randomId } from '../../api/request-key.ts';
import { PeoplePicker } from '../../event-parts/picker.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Fault } from '../../parts/forms/checkbox.tsx';
import { Select, TextArea, TextField } from '../../parts/forms/field.tsx';
import { changed, RemoveButton } from '../../parts/forms/list-parts.tsx';
import { partsOf } from '../../parts/forms/parts-of.ts';
import { Switch } from '../../parts/forms/switch.tsx';
import { zoneText } from '../../texts/dates.ts';
import { t, word, wordOptions } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { offersSlots } from '../draft/body.ts';
import type { Draft, QuestionDraft } from '../draft/draft.ts';
import { Cards, Input, Toggle } from '../inputs.tsx';

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
              inputMode="numeric"
              hint={
                event && event.current_attendees > 0 ? t('editor.taken', { count: event.current_attendees }) : undefined
              }
            />
            <Input
              name="registration_deadline"
              type="datetime-local"
              hint={t('calendar.zone', { zone: zoneText(draft.timezone) })}
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

/** Whether families choose times of a parent-teacher meeting: how long each is, the breaks, and the teachers. */
function Meetings() {
  const { draft, edit, faultOf } = useEditing();
  const { slots, organizer_id } = draft;
  const me = useMe();
  const change = (more: Partial<Draft['slots']>) => edit({ slots: { ...slots, ...more } });
  const part = partsOf('slots.', slots, change, faultOf);
  /** The event keeps the names, so that families and messages have them. */
  const hostOf = (user_id: string, name = user_id) =>
    slots.hosts.find((one) => one.user_id === user_id) ?? { user_id, name };
  const turn = (isOn: boolean) => {
    const isFirst = isOn && slots.hosts.length === 0 && organizer_id === me?.user_id;
    change({ isOn, ...(isFirst && { hosts: [hostOf(organizer_id, me.name ?? undefined)] }) });
  };
  return (
    <>
      <Switch label={t('editor.slots')} hint={t('editor.slotsHint')} value={slots.isOn} onChange={turn} />
      {slots.isOn && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField inputMode="numeric" label={t('editor.slotLength')} {...part('length_minutes')} />
            <TextField inputMode="numeric" label={t('editor.slotBreak')} {...part('break_minutes')} />
          </div>
          <PeoplePicker
            name="slots.hosts"
            label={t('editor.hosts')}
            hint={t('editor.hostsHint')}
            value={slots.hosts.map(({ user_id }) => user_id)}
            onChange={(ids, added) => change({ hosts: ids.map((one) => hostOf(one, added?.label)) })}
          />
        </>
      )}
      <Fault>{faultOf('slots') ?? faultOf('slots.hosts')}</Fault>
    </>
  );
}

const TYPES = ['text', 'choice', 'consent'] as const satisfies QuestionDraft['type'][];
const MAX = 10;

/** The questions that people answer when they register. */
function Questions() {
  const { draft, edit, faultOf } = useEditing();
  /** the new question, whose errors show once the focus has left it */
  const [added, setAdded] = useState('');
  const { registration_questions: questions } = draft;
  const change = (at: number, more: Partial<QuestionDraft> | null) =>
    edit({ registration_questions: changed(questions, at, more) });
  const add = () => {
    const question = {
      id: randomId().slice(0, 8),
      type: 'text' as const,
      label: '',
      options: '',
      required: true,
    };
    setAdded(question.id);
    edit({ registration_questions: [...questions, question] });
  };
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{t('editor.questions')}</h3>
      <p className="text-sm text-soft">{t('editor.questionsHint')}</p>
      {questions.map((question, at) => {
        const { id, type, label, required } = question;
        const part = partsOf(
          `registration_questions.${at}.`,
          question,
          (more) => change(at, more),
          (field) => (id === added ? undefined : faultOf(field)),
        );
        return (
          <fieldset
            key={id}
            onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || setAdded('')}
            className="grid gap-3 rounded-xl border border-line p-3"
          >
            <div className="grid gap-3 sm:grid-cols-[2fr_1fr_auto] sm:items-start">
              <TextField
                label={t('editor.questionLabel', { number: at + 1 })}
                autoComplete="off"
                autoFocus={label === ''}
                {...part('label')}
              />
              <Select label={t('editor.questionType')} options={wordOptions('questionType', TYPES)} {...part('type')} />
              <RemoveButton
                className="justify-self-start sm:mt-7"
                what={label || t('editor.questionLabel', { number: at + 1 })}
                onClick={() => change(at, null)}
              />
            </div>
            {type === 'choice' && <TextArea label={t('editor.questionOptions')} rows={3} {...part('options')} />}
            <Checkbox value={required} onChange={(on) => change(at, { required: on })}>
              {t('editor.questionRequired')}
            </Checkbox>
          </fieldset>
        );
      })}
      {questions.length < MAX && (
        <Button className="justify-self-start" onClick={add} icon={Plus}>
          {t('editor.addQuestion')}
        </Button>
      )}
    </section>
  );
}
