import { Checkbox, Select, TextField } from '../parts/forms/field.tsx';
import { t } from '../texts/texts.ts';
import type { Given, Question } from './answers.ts';

type Props = {
  questions: readonly Question[];
  given: Given;
  /** by question */
  faults: Readonly<Record<string, string>>;
  maxLength: number | undefined;
  onChange: (given: Given) => void;
};

/** A field for each question of an event. */
export function QuestionFields({ questions, given, faults, maxLength, onChange }: Props) {
  return questions.map(({ id, type, label, options = [], required }) => {
    const text = required ? label : t('answers.optional', { label });
    const change = (value: string | boolean) => onChange({ ...given, [id]: value });
    if (type === 'consent')
      return (
        <Checkbox key={id} checked={given[id] === true} fault={faults[id]} onChange={change}>
          {text}
        </Checkbox>
      );
    const common = { label: text, fault: faults[id], value: String(given[id] ?? ''), onChange: change };
    if (type === 'text') return <TextField key={id} {...common} maxLength={maxLength} autoComplete="off" />;
    const choices = options.map((value) => ({ value, label: value }));
    return <Select key={id} {...common} none={t('answers.choose')} options={choices} />;
  });
}

/** The questions for one person; `name` if the form is about several people. */
export const QuestionsFor = ({ name, ...fields }: Props & { name: string | null }) => (
  <fieldset className="grid min-w-0 gap-3">
    {name && <legend className="mb-2 font-medium">{t('answers.of', { name })}</legend>}
    <QuestionFields {...fields} />
  </fieldset>
);
