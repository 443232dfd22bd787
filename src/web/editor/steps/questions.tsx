import { Plus } from 'lucide-react';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Select, TextArea, TextField, wordOptions } from '../../parts/forms/field.tsx';
import { t } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import type { QuestionDraft } from '../draft/draft.ts';
import { changed, RemoveButton } from '../list-parts.tsx';

const TYPES = ['text', 'choice', 'consent'] as const satisfies QuestionDraft['type'][];
const MAX = 10;

/** What people answer when they register. */
export function Questions() {
  const { draft, edit, faultOf } = useEditing();
  const { registration_questions: questions } = draft;
  const change = (at: number, more: Partial<QuestionDraft> | null) =>
    edit({ registration_questions: changed(questions, at, more) });
  const add = () => {
    const question = {
      id: crypto.randomUUID().slice(0, 8),
      type: 'text' as const,
      label: '',
      options: '',
      required: true,
    };
    edit({ registration_questions: [...questions, question] });
  };
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{t('editor.questions')}</h3>
      <p className="text-sm text-soft">{t('editor.questionsHint')}</p>
      {questions.map(({ id, type, label, options, required }, at) => {
        const name = `registration_questions.${at}`;
        return (
          <div key={id} className="grid gap-3 rounded-xl border border-line p-3">
            <div className="grid gap-3 sm:grid-cols-[2fr_1fr_auto] sm:items-start">
              <TextField
                name={`${name}.label`}
                label={t('editor.questionLabel', { number: at + 1 })}
                fault={faultOf(`${name}.label`)}
                autoComplete="off"
                value={label}
                onChange={(value) => change(at, { label: value })}
              />
              <Select
                name={`${name}.type`}
                label={t('editor.questionType')}
                value={type}
                options={wordOptions('questionType', TYPES)}
                onChange={(value) => change(at, { type: value })}
              />
              <RemoveButton
                className="justify-self-start sm:mt-7"
                what={label || t('editor.questionLabel', { number: at + 1 })}
                onClick={() => change(at, null)}
              />
            </div>
            {type === 'choice' && (
              <TextArea
                name={`${name}.options`}
                label={t('editor.questionOptions')}
                rows={3}
                fault={faultOf(`${name}.options`)}
                value={options}
                onChange={(value) => change(at, { options: value })}
              />
            )}
            <Checkbox checked={required} onChange={(on) => change(at, { required: on })}>
              {t('editor.questionRequired')}
            </Checkbox>
          </div>
        );
      })}
      {questions.length < MAX && (
        <Button className="justify-self-start" onClick={add}>
          <Plus size={16} />
          {t('editor.addQuestion')}
        </Button>
      )}
    </section>
  );
}
