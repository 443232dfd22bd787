import type { ListedRegistration, Registration, SchoolEvent } from '../api/types.ts';
import { t } from '../texts/texts.ts';

export type Question = SchoolEvent['registration_questions'][number];
type Answers = Registration['answers'];

/** Answers in a form, by question; missing ones are empty. */
export type Given = Readonly<Record<string, string | boolean>>;

/** The answers that were given, without options that the question no longer has. */
export const givenOf = (questions: readonly Question[], answers: Answers): Given =>
  Object.fromEntries(
    answers
      .filter(({ question_id, value }) =>
        questions.some(({ id, options }) => id === question_id && (options?.includes(String(value)) ?? true)),
      )
      .map(({ question_id, value }) => [question_id, value]),
  );

/** An answer as text; null without one. */
export function answerText({ id }: Question, answers: Answers): string | null {
  const value = answers.find(({ question_id }) => question_id === id)?.value ?? false;
  if (typeof value === 'string') return value;
  return value ? t('answers.agreed') : null;
}

export const unanswered = (questions: readonly Question[], answers: Answers): Question[] =>
  questions.filter((question) => question.required && answerText(question, answers) === null);

/** The errors of required questions without an answer, by question. */
export function faultsOfGiven(questions: readonly Question[], given: Given): Record<string, string> {
  const open = questions.filter(({ id, required }) => required && !String(given[id] || '').trim());
  return Object.fromEntries(open.map(({ id, type }) => [id, t(`answers.needed.${type}`)]));
}

/** The answers as the API takes them; an empty one removes the answer that was given before. */
export const answersOf = (questions: readonly Question[], given: Given) =>
  questions.map(({ id, type }) => ({ question_id: id, value: given[id] ?? (type === 'consent' ? false : '') }));

type Props = { answers: ListedRegistration['answers']; questions: readonly Question[]; className: string };

/** The answers, and the required questions that are open. */
export function AnswerList({ answers, questions, className }: Props) {
  const shown = questions.flatMap((question) => {
    const text = answerText(question, answers) ?? (question.required ? t('answers.none') : null);
    return text === null ? [] : [{ ...question, text }];
  });
  if (shown.length === 0) return null;
  return (
    <dl className={`text-sm break-words ${className}`}>
      {shown.map(({ id, label, text }) => (
        <div key={id}>
          <dt className="inline">{/[?:!.]$/.test(label) ? label : `${label}:`} </dt>
          <dd className="inline font-medium text-ink">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
