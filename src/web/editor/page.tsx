import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { getQuery } from '../api/queries.ts';
import { oneOf } from '../app/search.ts';
import type { Span } from '../calendar/grid/span.ts';
import { BEING_EDITED } from '../live/handle-message.ts';
import { joined, Loaded, Page, PageHeader } from '../parts/page.tsx';
import type { Language } from '../texts/languages.ts';
import { language, t, word } from '../texts/texts.ts';
import { STEP_NAMES } from './draft/draft.ts';
import { Editor } from './editor.tsx';
import { loadTagged } from './saving/requests.ts';

/** Form choices, with suggested titles in the current language. */
const optionsIn = (locale: Language) => ({
  ...getQuery(['options', locale], '/api/v1/operations/events/options', { query: { locale } }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The current event with its ETag, which edits must send. */
const freshEvent = (id: string | undefined) => ({
  queryKey: [BEING_EDITED, id],
  queryFn: async () => (id ? loadTagged(id) : null),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
});

type Props = { id?: string; step: string | undefined; span?: Span; title: string };

function Form({ id, step, span = {}, title }: Props) {
  const options = useQuery(optionsIn(language()));
  const found = useQuery(freshEvent(id));
  return (
    <Page title={title} needs={id ? undefined : 'create_event'}>
      <Loaded query={joined({ options, found })}>
        {(loaded) => {
          const refused = loaded.found?.event.refusal_codes.edit;
          if (refused) return <PageHeader title={title} text={word('problem', refused)} />;
          return <Editor {...loaded} step={oneOf(STEP_NAMES, step) ?? 'basics'} span={span} title={title} />;
        }}
      </Loaded>
    </Page>
  );
}

export function NewEventPage() {
  const { step, draft, ...span } = useSearch({ from: '/signed-in/events/new' });
  const at = useLocation({ select: ({ state }) => state.__TSR_index });
  // Load the draft in the URL only on entry: later this form itself writes the id of the draft it created. The browser's Back
  // may lead to a step that was left before the draft had one.
  const [{ first, last, ...form }, setForm] = useState({ first: draft, last: draft, at, key: 0 });
  if (draft !== last) {
    const isSame = draft ? !last && at >= form.at : at < form.at;
    setForm({ first: isSame ? first : draft, last: draft, at, key: form.key + (isSame ? 0 : 1) });
  }
  return <Form key={form.key} id={first} step={step} span={span} title={t('nav.new')} />;
}

export default function EditEventPage() {
  const { id } = useParams({ from: '/signed-in/events/$id/edit' });
  const { step } = useSearch({ from: '/signed-in/events/$id/edit' });
  return <Form key={id} id={id} step={step} title={t('nav.edit')} />;
}
