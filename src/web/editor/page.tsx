import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { NotFound } from '../app/not-found.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { ErrorMessage, Page } from '../parts/page.tsx';
import { language, t } from '../texts/texts.ts';
import { STEP_NAMES, type Step } from './draft.ts';
import { Editor } from './editor.tsx';

const stepIn = (step: string | undefined): Step => STEP_NAMES.find((one) => one === step) ?? 'basics';

/** Form choices, with suggested titles in the current language. */
const optionsIn = (locale: 'en' | 'cs') => ({
  queryKey: ['options', locale],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    unwrap(api.GET('/api/v1/operations/events/options', { params: { query: { locale } }, signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The current event with its ETag, which edits must send. */
const freshEvent = (id: string | undefined) => ({
  queryKey: ['event-to-edit', id],
  queryFn: async () => {
    if (!id) return null;
    const asked = api.GET('/api/v1/operations/events/{id}', { params: { path: { id } } });
    const event = await unwrap(asked);
    return { event, etag: (await asked).response.headers.get('etag') ?? '' };
  },
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});

function Loaded({
  id,
  step,
  day,
  title,
}: {
  id?: string | undefined;
  step: Step;
  day?: string | undefined;
  title: string;
}) {
  const options = useQuery(optionsIn(language()));
  const found = useQuery(freshEvent(id));
  const error = options.error ?? found.error;
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error)
    return (
      <Page title={title}>
        <ErrorMessage error={error} />
      </Page>
    );
  if (!options.data || found.data === undefined)
    return (
      <Page title={title}>
        <Skeleton lines={8} label={title} />
      </Page>
    );
  return <Editor options={options.data} found={found.data} step={step} day={day} />;
}

function NewEventPage() {
  const { step, draft, date } = NewRoute.useSearch();
  // Load the draft in the URL only on entry: later this form itself writes the id of the draft it created.
  const [{ first, last, key }, set] = useState({ first: draft, last: draft, key: 0 });
  if (draft !== last)
    set(draft === undefined ? { first: draft, last: draft, key: key + 1 } : { first, last: draft, key });
  return <Loaded key={key} id={first} step={stepIn(step)} day={date} title={t('nav.new')} />;
}

function EditEventPage() {
  const { id } = EditRoute.useParams();
  const { step } = EditRoute.useSearch();
  return <Loaded key={id} id={id} step={stepIn(step)} title={t('nav.edit')} />;
}

export const NewRoute = createLazyRoute('/signed-in/events/new')({ component: NewEventPage });
export const EditRoute = createLazyRoute('/signed-in/events/$id/edit')({ component: EditEventPage });
