import { useQuery } from '@tanstack/react-query';
import { rowsQuery, useEventOptions } from '../api/queries.ts';
import type { SavedText } from '../api/types.ts';
import { Select, TextArea, TextField } from '../parts/forms/field.tsx';
import { Translations } from '../parts/forms/translations.tsx';
import { language, t } from '../texts/texts.ts';

type Words = Pick<SavedText, 'subject' | 'body'>;
/** A subject and a text, in other languages too. */
export type Written = Words & Pick<SavedText, 'translations'>;

export const NOTHING: Written = { subject: '', body: '', translations: null };

/** The words without spaces around them. */
export const trimmedWords = ({ subject, body }: Words): Words => ({ subject: subject.trim(), body: body.trim() });

/** The text without spaces around it, in every language. */
export function trimmed({ translations, ...own }: Written): Written {
  const kept = Object.entries(translations ?? {}).map(([tag, words]) => [tag, trimmedWords(words)]);
  return { ...trimmedWords(own), translations: kept.length > 0 ? Object.fromEntries(kept) : null };
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
  lang?: string;
  labels?: { subject: string; text: string };
  onChange: (words: Words) => void;
};

/** The fields of a subject and a text. */
export function WordsFields({ words, showsFaults, lang, labels, onChange }: WordsProps) {
  const options = useEventOptions();
  const empty = showsFaults ? emptyParts(words) : [];
  return (
    <>
      <TextField
        lang={lang}
        label={labels?.subject ?? t('message.subject')}
        fault={empty.includes('subject') ? t('needed.subject') : undefined}
        maxLength={options?.limits.message_subject}
        value={words.subject}
        onChange={(subject) => onChange({ ...words, subject })}
      />
      <TextArea
        lang={lang}
        label={labels?.text ?? t('message.text')}
        hint={t('message.greeting')}
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
  return (
    <div className="grid gap-4">
      <WordsFields words={written} showsFaults={showsFaults} onChange={(words) => onChange({ ...written, ...words })} />
      <Translations
        translations={written.translations}
        except={language()}
        empty={{ subject: '', body: '' }}
        onChange={(changed) => onChange({ ...written, translations: changed })}
      >
        {(words, change, tag, name) => (
          <WordsFields
            words={words}
            showsFaults={showsFaults}
            lang={tag}
            labels={{ subject: t('schoolMessage.subjectIn', name), text: t('schoolMessage.textIn', name) }}
            onChange={change}
          />
        )}
      </Translations>
    </div>
  );
}

/** The texts that the school keeps to send again, by name. */
export const savedTextsQuery = rowsQuery(['saved-texts'], '/api/v1/operations/saved-texts', {});

type ChoiceProps = {
  /** whether a chosen text would replace words of the writer */
  isWritten: boolean;
  onChoose: (text: SavedText) => void;
};

/** A menu of the saved texts; nothing if there are none. */
export function SavedTextChoice({ isWritten, onChoose }: ChoiceProps) {
  const { data: texts = [] } = useQuery(savedTextsQuery);
  if (texts.length === 0) return null;
  const choose = (id: string) => {
    const text = texts.find((one) => one.id === id);
    if (text && (!isWritten || window.confirm(t('message.replace')))) onChoose(text);
  };
  return (
    <Select
      label={t('message.saved')}
      value=""
      onChange={choose}
      none={t('message.chooseSaved')}
      options={texts.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
