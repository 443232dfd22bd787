import { TextArea, TextField } from '../../parts/forms/field.tsx';
import { Translations } from '../../parts/forms/translations.tsx';
import { t } from '../../texts/texts.ts';
import { partsOf, useEditing } from '../context.tsx';

const EMPTY = { title: '', description: '' };

/** Title and description in other languages. */
export function TranslatedEvent() {
  const { draft, edit, faultOf } = useEditing();
  return (
    <div className="grid gap-4">
      <Translations translations={draft.translations} empty={EMPTY} onChange={(translations) => edit({ translations })}>
        {(words, change, tag, name) => {
          const part = partsOf(`translations.${tag}.`, words, (more) => change({ ...words, ...more }), faultOf);
          return (
            <>
              <TextField
                lang={tag}
                autoComplete="off"
                label={t('editor.translation.title', name)}
                hint={t('editor.translation.hint')}
                {...part('title')}
              />
              <TextArea
                lang={tag}
                label={t('editor.translation.description', name)}
                rows={4}
                {...part('description')}
              />
            </>
          );
        }}
      </Translations>
    </div>
  );
}
