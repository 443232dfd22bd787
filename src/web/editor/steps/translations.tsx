import { Languages, X } from 'lucide-react';
import { Button } from '../../parts/button.tsx';
import { TextArea, TextField } from '../../parts/forms/field.tsx';
import { LANGUAGE_TAGS, type Language } from '../../texts/languages.ts';
import { language, t } from '../../texts/texts.ts';
import { partsOf, useEditing } from '../context.tsx';

/** Title and description in other languages. */
export function Translations() {
  const { draft, edit, faultOf } = useEditing();
  const { translations } = draft;
  const names = new Intl.DisplayNames(language(), { type: 'language' });
  const put = (tag: Language, words: { title: string; description: string } | undefined) =>
    edit({ translations: { ...translations, [tag]: words } });
  return (
    <div className="grid gap-4">
      {LANGUAGE_TAGS.map((tag) => {
        const words = translations[tag];
        const name = { language: names.of(tag) ?? tag };
        const part =
          words && partsOf(`translations.${tag}.`, words, (more) => put(tag, { ...words, ...more }), faultOf);
        return part ? (
          <fieldset key={tag} className="grid min-w-0 gap-3 rounded-lg border border-line p-3">
            <legend className="px-1 font-medium">{t('editor.translation', name)}</legend>
            <TextField
              lang={tag}
              autoComplete="off"
              label={t('editor.translation.title', name)}
              hint={t('editor.translation.hint')}
              {...part('title')}
            />
            <TextArea lang={tag} label={t('editor.translation.description', name)} rows={4} {...part('description')} />
            <Button look="quiet" className="justify-self-start" onClick={() => put(tag, undefined)} icon={X}>
              {t('editor.translation.remove', name)}
            </Button>
          </fieldset>
        ) : (
          <Button
            key={tag}
            className="justify-self-start"
            onClick={() => put(tag, { title: '', description: '' })}
            icon={Languages}
          >
            {t('editor.translation.add', name)}
          </Button>
        );
      })}
    </div>
  );
}
