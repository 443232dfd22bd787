import type { Rostered } from '../api/types.ts';
import { t } from '../texts/texts.ts';
import { answerText, type Question } from './answers.ts';

type Props = { answers: Rostered['answers']; questions: readonly Question[]; className: string };

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
