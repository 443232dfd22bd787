import { Languages, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { LANGUAGE_TAGS, type Language } from '../../texts/languages.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';

type Translated<Words> = { [L in Language]?: Words };

type Props<Words> = {
  translations: Translated<Words> | null;
  /** a language that is not offered */
  except?: Language;
  empty: Words;
  onChange: (translations: Translated<Words>) => void;
  /** renders the fields of a language, whose labels name it by `name`; `change` replaces the words */
  children: (words: Words, change: (words: Words) => void, tag: Language, name: { language: string }) => ReactNode;
};

/** The fields of a text in other languages, each of which is added and removed by a button. */
export function Translations<Words>({ translations, except, empty, onChange, children }: Props<Words>) {
  const names = new Intl.DisplayNames(language(), { type: 'language' });
  return LANGUAGE_TAGS.map((tag) => {
    const { [tag]: words, ...others } = translations ?? {};
    const name = { language: names.of(tag) ?? tag };
    const change = (changed: Words) => onChange({ ...translations, [tag]: changed });
    if (words === undefined)
      return (
        tag !== except && (
          <Button key={tag} className="justify-self-start" onClick={() => change(empty)} icon={Languages}>
            {t('form.translate', name)}
          </Button>
        )
      );
    return (
      <fieldset key={tag} className="grid min-w-0 gap-3 rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">{t('form.translation', name)}</legend>
        {children(words, change, tag, name)}
        <Button look="quiet" className="justify-self-start" onClick={() => onChange(others)} icon={X}>
          {t('form.untranslate', name)}
        </Button>
      </fieldset>
    );
  });
}
