import { useState } from 'react';
import { invalidateEvent } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { MINUTE, useNow } from '../api/use-now.ts';
import { type OwnRow, saveAnswers } from '../event/registration/own.ts';
import { Button } from '../parts/button.tsx';
import { InlineForm, useFormMutation } from '../parts/forms/form.tsx';
import { showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { AnswerList, answersOf, answerText, faultsOfGiven, givenOf, unanswered } from './answers.tsx';
import { QuestionFields } from './question-fields.tsx';

type Props = { registration: OwnRow; event: SchoolEvent; name: string | undefined };

/** The answers of a registration, which can be changed until the deadline. */
export function OwnAnswers({ registration, event, name }: Props) {
  const now = useNow(MINUTE);
  /** undefined until the form was opened */
  const [isOpen, setOpen] = useState<boolean>();
  const { registration_questions: questions } = event;
  const { answers } = registration;
  if (questions.length === 0) return null;
  const mayChange = now <= Date.parse(event.registration_deadline ?? event.starts_at);
  const open = unanswered(questions, answers).length;
  const given = questions.filter((question) => answerText(question, answers) !== null);
  if (isOpen) return <AnswersForm registration={registration} event={event} onClose={() => setOpen(false)} />;
  return (
    <div className="grid gap-2">
      <AnswerList answers={answers} questions={given} className="grid gap-0.5" />
      {open > 0 && mayChange && <p className="text-sm font-medium">{t('answers.open', { count: open })}</p>}
      {mayChange && (
        <Button className="justify-self-start" of={name} autoFocus={isOpen === false} onClick={() => setOpen(true)}>
          {t('answers.change')}
        </Button>
      )}
    </div>
  );
}

function AnswersForm({ registration, event, onClose }: Omit<Props, 'name'> & { onClose: () => void }) {
  const { registration_questions: questions } = event;
  const [given, setGiven] = useState(() => givenOf(questions, registration.answers));
  const [wasSubmitted, setSubmitted] = useState(false);
  const faults = faultsOfGiven(questions, given);
  const saving = useFormMutation({
    mutationFn: () => saveAnswers(registration, answersOf(questions, given)),
    onSuccess: async () => {
      showNotice(t('answers.saved'));
      await invalidateEvent(event.id);
      onClose();
    },
  });
  return (
    <InlineForm
      submit={t('answers.save')}
      busy={saving.isPending}
      error={saving.error}
      onSubmit={() => {
        setSubmitted(true);
        if (Object.keys(faults).length === 0) saving.mutate();
      }}
      onCancel={onClose}
    >
      <QuestionFields questions={questions} given={given} faults={wasSubmitted ? faults : {}} onChange={setGiven} />
    </InlineForm>
  );
}
