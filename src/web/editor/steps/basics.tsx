import { toneOf } from '../../event-parts/badge.tsx';
import { iconOf } from '../../event-parts/icon.tsx';
import { Chip } from '../../parts/button.tsx';
import { TextArea, TextField } from '../../parts/forms/field.tsx';
import { Translations } from '../../parts/forms/translations.tsx';
import { t, word } from '../../texts/texts.ts';
import { partsOf, useEditing, useField } from '../context.tsx';
import { Cards, Input, Toggle } from '../inputs.tsx';
import { Audience } from './audience.tsx';

/** Show the length of the description from this share of the maximum. */
const LONG = 0.8;

/** Step 1: title, type, audience and description. */
export function Basics() {
  const { draft, edit, options } = useEditing();
  const field = useField();
  const { event_type: type, title, description } = draft;
  const max = options.limits.description;
  const { suggested_titles = [] } = options.event_types.find(({ value }) => value === type) ?? {};
  return (
    <>
      <div className="grid gap-2">
        <Input name="title" className="text-lg" />
        {suggested_titles.length > 0 && (
          <ul aria-label={t('editor.suggestions')} className="flex flex-wrap gap-1.5">
            {suggested_titles.map((one) => (
              <li key={one}>
                <Chip pressed={title === one} onClick={() => edit({ title: one })}>
                  {one}
                </Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Cards
        name="event_type"
        columns="grid-cols-[repeat(auto-fill,minmax(min(7rem,100%),1fr))] sm:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))]"
        choices={options.event_types.map(({ value, icon, color }) => ({
          value,
          label: word('type', value),
          icon: iconOf(icon),
          tone: toneOf(color),
        }))}
      />
      <Audience />
      <TextArea
        hint={description.length > LONG * max ? t('editor.length', { count: description.length, max }) : undefined}
        rows={5}
        {...field('description')}
      />
      <TranslatedEvent />
      <Toggle name="is_featured" hint={t('editor.featuredHint')} />
    </>
  );
}

const EMPTY = { title: '', description: '' };

/** Title and description in other languages. */
function TranslatedEvent() {
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
