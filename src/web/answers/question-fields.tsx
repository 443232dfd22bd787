import { useEventOptions } from '../api/queries.ts';
import { Checkbox } from '../parts/forms/checkbox.tsx';
import { Select, TextField } from '../parts/forms/field.tsx';
import { t } from '../texts/texts.ts';
import type { Given, Question } from './answers.tsx';

type Props = {
  /** whose answers they are, if the form is about several people; null: the user's */
  name?: string | null;
  questions: readonly Question[];
  given: Given;
  /** by question */
  faults: Readonly<Record<string, string>>;
  onChange: (given: Given) => void;
};

/** A field for each question of an event. */
export function QuestionFields({ name, questions, given, faults, onChange }: Props) {
  const limits = useEventOptions()?.limits;
  const fields = questions.map(({ id, type, label, options = [], required }) => {
    const text = required ? label : t('answers.optional', { label });
    const change = (value: string | boolean) => onChange({ ...given, [id]: value });
    if (type === 'consent')
      return (
        <Checkbox key={id} value={given[id] === true} fault={faults[id]} onChange={change}>
          {text}
        </Checkbox>
      );
    const common = { label: text, fault: faults[id], value: String(given[id] ?? ''), onChange: change };
    if (type === 'text') return <TextField key={id} {...common} maxLength={limits?.answer} autoComplete="off" />;
    const choices = options.map((value) => ({ value, label: value }));
    return <Select key={id} {...common} none={t('answers.choose')} options={choices} />;
  });
  return (
    <fieldset className="grid gap-3 wrap-anywhere">
      {name !== undefined && (
        <legend className="mb-2 font-semibold">{name === null ? t('answers.own') : t('answers.of', { name })}</legend>
      )}
      {fields}
    </fieldset>
  );
}
