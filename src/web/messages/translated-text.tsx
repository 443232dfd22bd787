import { useQuery } from '@tanstack/react-query';
import { Languages, X } from 'lucide-react';
import { optionsQuery } from '../api/queries.ts';
import type { SavedText } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { TextArea, TextField } from '../parts/forms/field.tsx';
import { LANGUAGE_TAGS } from '../texts/languages.ts';
import { language, t } from '../texts/texts.ts';

/** A subject and a text, in other languages too. */
export type Written = Pick<SavedText, 'subject' | 'body' | 'translations'>;

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

/** The texts that are still empty, as JSON pointers of the API. */
export const missingIn = (written: Written): string[] => {
  const { translations, ...own } = trimmed(written);
  const all = [
    ['', own] as const,
    ...Object.entries(translations ?? {}).map(([tag, words]) => [`/translations/${tag}`, words] as const),
  ];
  return all.flatMap(([at, { subject, body }]) => [
    ...(subject === '' ? [`${at}/subject`] : []),
    ...(body === '' ? [`${at}/body`] : []),
  ]);
};

type Props = { written: Written; faults: readonly string[]; onChange: (written: Written) => void };

/** The fields of a text, with those of a translation on request. */
export function TranslatedText({ written, faults, onChange }: Props) {
  const { data: options } = useQuery(optionsQuery);
  const names = new Intl.DisplayNames(language(), { type: 'language' });
  const { translations } = written;
  const put = (tag: string, words: Pick<Written, 'subject' | 'body'> | undefined) => {
    const { [tag]: _, ...others } = (translations ?? {}) as Record<string, Pick<Written, 'subject' | 'body'>>;
    onChange({ ...written, translations: words ? { ...others, [tag]: words } : others });
  };
  const fields = (
    at: string,
    words: Pick<Written, 'subject' | 'body'>,
    labels: { subject: string; text: string },
    change: (words: Pick<Written, 'subject' | 'body'>) => void,
  ) => (
    <>
      <TextField
        label={labels.subject}
        fault={faults.includes(`${at}/subject`) ? t('needed.subject') : undefined}
        maxLength={options?.limits.message_subject}
        value={words.subject}
        onChange={(subject) => change({ ...words, subject })}
      />
      <TextArea
        label={labels.text}
        fault={faults.includes(`${at}/body`) ? t('needed.text') : undefined}
        rows={6}
        maxLength={options?.limits.message_body}
        value={words.body}
        onChange={(body) => change({ ...words, body })}
      />
    </>
  );
  const { subject, body } = written;
  return (
    <div className="grid gap-4">
      {fields('', { subject, body }, { subject: t('message.subject'), text: t('message.text') }, (words) =>
        onChange({ ...written, ...words }),
      )}
      {LANGUAGE_TAGS.filter((tag) => tag !== language() || translations?.[tag]).map((tag) => {
        const words = translations?.[tag];
        const name = { language: names.of(tag) ?? tag };
        return words ? (
          <div key={tag} lang={tag} className="grid gap-4 border-t border-line pt-4">
            {fields(
              `/translations/${tag}`,
              words,
              { subject: t('schoolMessage.subjectIn', name), text: t('schoolMessage.textIn', name) },
              (changed) => put(tag, changed),
            )}
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
