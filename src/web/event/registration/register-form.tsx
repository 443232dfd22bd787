import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { answersOf, faultsOfGiven, type Given } from '../../answers/answers.tsx';
import { QuestionFields } from '../../answers/question-fields.tsx';
import { ApiError, errorText } from '../../api/problem.ts';
import { invalidateEvent, useEventOptions } from '../../api/queries.ts';
import type { Registration, SchoolEvent } from '../../api/types.ts';
import { registeredText } from '../../event-parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Checkboxes, Fault } from '../../parts/forms/checkbox.tsx';
import { Select, TextArea } from '../../parts/forms/field.tsx';
import { InlineForm, useFormMutation } from '../../parts/forms/form.tsx';
import { partsOf } from '../../parts/forms/parts-of.ts';
import { showNotice } from '../../parts/notices.tsx';
import { t, word, wordOptions } from '../../texts/texts.ts';
import { type FamilyResult, type OwnRow, signUp } from './own.ts';
import { type Chosen, SlotFields, slotsOf } from './slot-fields.tsx';
import { slotsQuery } from './slots.ts';

/** A member of a family; `name` null: the user. */
export type Person = { user_id: string; name: string | null };

/** The name of a member of the family, for whom the user registers. */
const nameOf = ({ name }: Person): string => name ?? t('register.me');

/** The people of a family who could not be registered, each with the reason. */
const Refused = ({ results, people }: { results: readonly FamilyResult[]; people: readonly Person[] }) => (
  <ul role="alert" className="text-sm font-medium text-bad">
    {results.map(({ user_id, code }) => {
      const person = people.find((one) => one.user_id === user_id);
      return person && <li key={user_id}>{`${nameOf(person)}: ${word('problem', code ?? '')}`}</li>;
    })}
  </ul>
);

/** The text for a family that did not fit together although places are free. */
function tooFewPlaces(error: unknown): string | null {
  const count = error instanceof ApiError && error.code === 'event_full' ? error.problem.available_spots : null;
  return typeof count === 'number' && count > 0 ? t('register.onlyFree', { count }) : null;
}

/** Whether the last place was taken meanwhile, and a waitlist is open. */
const isJustFull = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'event_full' &&
  error.problem.waitlist_enabled === true &&
  error.problem.available_spots === 0;

type Props = {
  event: SchoolEvent;
  /** those not registered yet: the user (name null) and their children */
  people: readonly Person[];
  /** the registrations of the family */
  own: readonly OwnRow[];
  /** status that a registration would get when the page loaded */
  leadsTo: Registration['status'] | null;
  /** why registration has closed while the form was open */
  closed: string | null;
  onDone: () => void;
  onClose: () => void;
};

/** A single child or person is preselected. */
function firstChoice(people: readonly Person[]): string[] {
  const children = people.filter(({ name }) => name !== null);
  const [only, ...others] = children.length > 0 ? children : people;
  return only && others.length === 0 ? [only.user_id] : [];
}

/** Ends a form once the chosen people are registered: by the form, even if its response was lost, or by another guardian. */
function useEndOf(chosen: readonly string[], people: readonly Person[], onDone: () => void): void {
  const areRegistered = chosen.length > 0 && !people.some(({ user_id }) => chosen.includes(user_id));
  const isOver = areRegistered || people.length === 0;
  // Before the form is painted without anyone.
  useLayoutEffect(() => {
    if (isOver) onDone();
  }, [isOver, onDone]);
}

/** Registers a family in one step. If places were taken meanwhile, asks about the waitlist. */
export function RegisterForm({ event, people, own, leadsTo, closed, onDone, onClose }: Props) {
  const options = useEventOptions();
  const { data: slots } = useQuery({ ...slotsQuery(event.id), enabled: event.slots !== null });
  const [chosen, setChosen] = useState(() => firstChoice(people));
  const [together, setTogether] = useState(false);
  const [common, setCommon] = useState<Pick<Registration, 'kind'> & { notes: string }>({ kind: 'attendee', notes: '' });
  const part = partsOf('', common, (more) => setCommon({ ...common, ...more }));
  const [answers, setAnswers] = useState<Record<string, Given>>({});
  /** the people chosen when the form was last submitted; null before that */
  const [submitted, setSubmitted] = useState<readonly string[] | null>(null);
  const [times, setTimes] = useState<Record<string, Chosen>>({});
  const [hasFilled, setFilled] = useState(false);

  const { registration_questions: questions } = event;
  const going = people.filter(({ user_id }) => chosen.includes(user_id));
  const waits = leadsTo === 'waitlisted';
  const free = event.available_spots ?? going.length;
  // Known in advance, so the others join the waitlist without another question.
  const someWait = !waits && !together && event.waitlist_enabled && going.length > free;
  const slotsFor = ({ user_id }: Person) => slotsOf(times[user_id] ?? {}, slots);
  const submission = useFormMutation({
    mutationFn: (waitlist: boolean) => {
      const family = going.map((one) => ({
        user_id: one.user_id,
        kind: common.kind,
        notes: common.notes.trim() || undefined,
        answers: answersOf(questions, answers[one.user_id] ?? {}),
        slots: slotsFor(one),
      }));
      return signUp(event.id, { people: family, together: together && going.length > 1, waitlist });
    },
    onSuccess: async (results) => {
      const done = results.flatMap(({ user_id, registration }) => {
        const name = people.find((one) => one.user_id === user_id)?.name ?? null;
        return registration ? registeredText(registration.status, name) : [];
      });
      if (done.length > 0) showNotice(done.join(', '));
      await invalidateEvent(event.id);
      const refused = results.filter(({ code }) => code);
      const isFull = refused.length > 0 && refused.every(({ code }) => code === 'event_full');
      if (event.waitlist_enabled && isFull) setFilled(true);
    },
    onError: (error) => {
      if (isJustFull(error)) setFilled(true);
      void invalidateEvent(event.id);
    },
  });
  const refused = submission.data?.filter(({ code }) => code) ?? [];
  useEndOf(chosen, people, onDone);
  if (hasFilled) return <WaitlistQuestion people={going.length} joining={submission} onClose={onClose} />;

  const faultsFor = ({ user_id }: Person) => faultsOfGiven(questions, answers[user_id] ?? {});
  const lacksTime = (one: Person) => event.slots !== null && slotsFor(one).length === 0;
  const isFaulty = (one: Person) => lacksTime(one) || Object.keys(faultsFor(one)).length > 0;
  const submit = () => {
    setSubmitted(chosen);
    if (going.length > 0 && !going.some(isFaulty)) submission.mutate(waits || someWait);
  };
  const noOne = submitted && going.length === 0 ? t('register.choose') : undefined;
  return (
    <InlineForm
      submit={waits ? t('register.waitlist') : t('action.register')}
      busy={submission.isPending}
      disabled={closed !== null}
      error={closed ?? tooFewPlaces(submission.error) ?? submission.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      {people.length > 1 && (
        <fieldset className="grid min-w-0" data-faulty={noOne ? true : undefined}>
          <legend className="mb-1 font-medium">{t('register.for')}</legend>
          <Checkboxes
            options={people.map((one) => ({ value: one.user_id, label: nameOf(one) }))}
            value={chosen}
            onChange={setChosen}
          />
          <div role="alert">
            <Fault>{noOne}</Fault>
          </div>
        </fieldset>
      )}
      {going.length > 1 && !waits && event.available_spots !== null && (
        <Checkbox value={together} onChange={setTogether}>
          {t('register.together')}
        </Checkbox>
      )}
      {/* Families are not asked: no event offers them another kind. */}
      {event.allowed_actions.includes('edit') && (
        <Select
          label={t('registrations.kind')}
          options={wordOptions('kind', options?.registration_kinds ?? [common.kind])}
          {...part('kind')}
        />
      )}
      {questions.length > 0 &&
        going.map((one) => (
          <QuestionFields
            key={one.user_id}
            name={people.length > 1 ? one.name : undefined}
            questions={questions}
            given={answers[one.user_id] ?? {}}
            faults={submitted?.includes(one.user_id) ? faultsFor(one) : {}}
            onChange={(given) => setAnswers({ ...answers, [one.user_id]: given })}
          />
        ))}
      {event.slots &&
        going.map((person) => (
          <SlotFields
            key={person.user_id}
            event={event}
            name={people.length > 1 ? nameOf(person) : null}
            busy={own}
            others={going.flatMap((one) => (one === person ? [] : slotsFor(one)))}
            fault={submitted?.includes(person.user_id) && lacksTime(person) ? t('slots.needed') : undefined}
            chosen={times[person.user_id] ?? {}}
            onChange={(chosen) => setTimes({ ...times, [person.user_id]: chosen })}
          />
        ))}
      <TextArea label={t('register.notes')} rows={2} maxLength={options?.limits.notes} {...part('notes')} />
      {waits && <p className="text-sm text-soft">{t('register.waitHint')}</p>}
      {someWait && <p className="text-sm text-soft">{t('register.someWait', { count: free })}</p>}
      {refused.length > 0 && <Refused results={refused} people={people} />}
    </InlineForm>
  );
}

type QuestionProps = {
  people: number;
  joining: UseMutationResult<FamilyResult[], Error, boolean>;
  onClose: () => void;
};

/** Asks whether to join the waitlist of an event that has filled meanwhile. */
const WaitlistQuestion = ({ people, joining: { isPending, error, mutate }, onClose }: QuestionProps) => (
  <div role="alert" className="grid gap-3 rounded-xl bg-warn-soft p-3.5 text-warn">
    <p className="font-medium">{people > 1 ? t('register.tooFew') : t('register.filled')}</p>
    <p className="text-sm">{t('register.waitHint')}</p>
    <div className="flex flex-wrap gap-2">
      <Button look="main" autoFocus busy={isPending} onClick={() => mutate(true)}>
        {t('register.waitlist')}
      </Button>
      <Button onClick={onClose}>{t('dialog.cancel')}</Button>
    </div>
    {error && !isJustFull(error) && <p className="text-sm">{errorText(error)}</p>}
  </div>
);
