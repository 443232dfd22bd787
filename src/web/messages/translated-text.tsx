import { Languages, X } from 'lucide-react';
import { useEventOptions } from '../api/queries.ts';
import type { SavedText } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { TextArea, TextField } from '../parts/forms/field.tsx';
import { LANGUAGE_TAGS } from '../texts/languages.ts';
import { addTexts, language, t } from '../texts/texts.ts';

addTexts(import.meta.glob('../texts/*/messages.json', { eager: true, import: 'default' }));

type Words = Pick<SavedText, 'subject' | 'body'>;
/** A subject and a text, in other languages too. */
export type Written = Words & Pick<SavedText, 'translations'>;

export const NOTHING: Written = { subject: '', body: '', translations: null };

/** The text without spaces around it. */
export function trimmed({ subject, body, translations }: Written): Written {
  const kept = Object.entries(translations ?? {}).map(([tag, words]) => [
    tag,
    { subject: words.subject.trim(), body: words.body.trim() },
  ]);
  return {
    subject: subject.trim(),
    body: body.trim(),
    translations: kept.length > 0 ? Object.fromEntries(kept) : null,
  };
}

/** The parts of a text that are still empty. */
export const emptyParts = (words: Words) => (['subject', 'body'] as const).filter((part) => words[part].trim() === '');

/** Whether a part of the text or of a translation is still empty. */
export const isIncomplete = ({ translations, ...own }: Written): boolean =>
  [own, ...Object.values(translations ?? {})].some((words) => emptyParts(words).length > 0);

type WordsProps = {
  words: Words;
  /** names the empty parts */
  showsFaults: boolean;
  labels?: { subject: string; text: string };
  onChange: (words: Words) => void;
};

/** The fields of a subject and a text. */
export function WordsFields({ words, showsFaults, labels, onChange }: WordsProps) {
  const options = useEventOptions();
  const empty = showsFaults ? emptyParts(words) : [];
  return (
    <>
      <TextField
        label={labels?.subject ?? t('message.subject')}
        fault={empty.includes('subject') ? t('needed.subject') : undefined}
        maxLength={options?.limits.message_subject}
        value={words.subject}
        onChange={(subject) => onChange({ ...words, subject })}
      />
      <TextArea
        label={labels?.text ?? t('message.text')}
        fault={empty.includes('body') ? t('needed.text') : undefined}
        rows={6}
        maxLength={options?.limits.message_body}
        value={words.body}
        onChange={(body) => onChange({ ...words, body })}
      />
    </>
  );
}

type Props = { written: Written; showsFaults: boolean; onChange: (written: Written) => void };

/** The fields of a text, with those of a translation on request. */
export function TranslatedText({ written, showsFaults, onChange }: Props) {
  const names = new Intl.DisplayNames(language(), { type: 'language' });
  const { subject, body, translations } = written;
  const put = (tag: string, words: Words | undefined) => {
    const { [tag]: _, ...others } = (translations ?? {}) as Record<string, Words>;
    onChange({ ...written, translations: words ? { ...others, [tag]: words } : others });
  };
  return (
    <div className="grid gap-4">
      <WordsFields
        words={{ subject, body }}
        showsFaults={showsFaults}
        onChange={(words) => onChange({ ...written, ...words })}
      />
      {LANGUAGE_TAGS.filter((tag) => tag !== language() || translations?.[tag]).map((tag) => {
        const words = translations?.[tag];
        const name = { language: names.of(tag) ?? tag };
        return words ? (
          <div key={tag} lang={tag} className="grid gap-4 border-t border-line pt-4">
            <WordsFields
              words={words}
              showsFaults={showsFaults}
              labels={{ subject: t('schoolMessage.subjectIn', name), text: t('schoolMessage.textIn', name) }}
              onChange={(changed) => put(tag, changed)}
            />
            <Button look="quiet" className="justify-self-start" onClick={() => put(tag, undefined)} icon={X}>
              {t('schoolMessage.untranslate', name)}
            </Button>
          </div>
        ) : (
          <Button
            key={tag}
            className="justify-self-start"
            onClick={() => put(tag, { subject: '', body: '' })}
            icon={Languages}
          >
            {t('schoolMessage.translate', name)}
          </Button>
        );
      })}
    </div>
  );
}
