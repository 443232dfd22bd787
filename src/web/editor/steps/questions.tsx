import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Select, TextArea, TextField, wordOptions } from '../../parts/forms/field.tsx';
import { changed, RemoveButton } from '../../parts/forms/list-parts.tsx';
import { randomId } from '../../parts/random-id.ts';
import { t } from '../../texts/texts.ts';
import { partsOf, useEditing } from '../context.tsx';
import type { QuestionDraft } from '../draft/draft.ts';

const TYPES = ['text', 'choice', 'consent'] as const satisfies QuestionDraft['type'][];
const MAX = 10;

/** What people answer when they register. */
export function Questions() {
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
            <Checkbox checked={required} onChange={(on) => change(at, { required: on })}>
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
