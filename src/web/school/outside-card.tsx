import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { faultAt, faultsIn } from '../api/problem.ts';
import { invalidate, rowsQuery } from '../api/queries.ts';
import type { ResponseOf } from '../api/types.ts';
import { AskButton } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { Form, useFormMutation } from '../parts/forms/form.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { Failure, List, Section } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

const URL = '/api/v1/operations/outside-calendars';
type Calendar = ResponseOf<typeof URL>['data'][number];

const KEY = ['outside-calendars'];
const reload = () => invalidate(KEY);

/** Calendars elsewhere that events are compared with. Saved one by one, apart from the settings. */
export function OutsideCard() {
  const calendars = useQuery({
    ...rowsQuery(KEY, URL, {}),
    // A new calendar is read within a minute.
    refetchInterval: ({ state }) => (state.data?.data.some(isUnread) ? 5_000 : false),
  });
  return (
    <Section title={t('school.outside')} text={t('school.outside.text')}>
      <List query={calendars} none={null} className="mb-4 grid gap-3">
        {(calendar) => (
          <li key={calendar.id} className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <p className="font-medium">{calendar.name}</p>
              <p className="text-sm wrap-anywhere text-soft">{calendar.url}</p>
              <p className={`text-sm ${calendar.problem ? 'text-warn' : 'text-soft'}`}>{stateOf(calendar)}</p>
            </div>
            <AskButton
              look="danger"
              label={t('school.remove')}
              of={calendar.name}
              title={t('school.outside.remove.title')}
              run={() => removeCalendar(calendar.id)}
            >
              {t('school.outside.remove.text', { name: calendar.name })}
            </AskButton>
          </li>
        )}
      </List>
      <AddCalendar />
    </Section>
  );
}

const removeCalendar = (calendar_id: string) =>
  unwrap(api.DELETE(`${URL}/{calendar_id}`, { params: { path: { calendar_id } } })).finally(reload);

const isUnread = ({ read_at, problem }: Calendar): boolean => read_at === null && problem === null;

function stateOf({ read_at, problem }: Calendar): string {
  if (problem) return word('school.outside.problem', problem);
  return read_at ? t('school.outside.read', { when: momentIn(read_at) }) : t('school.outside.unread');
}

const EMPTY = { name: '', url: '' };

function AddCalendar() {
  const [draft, setDraft] = useState(EMPTY);
  const add = useFormMutation({
    mutationFn: () => unwrap(api.POST(URL, { body: { name: draft.name.trim(), url: draft.url.trim() } })),
    onSuccess: () => {
      setDraft(EMPTY);
      return reload();
    },
  });
  const faultOf = (pointer: string) => faultAt(add.error, pointer);
  const part = partsOf('/', draft, (more) => setDraft({ ...draft, ...more }), faultOf);
  return (
    <Form className="grid items-start gap-3 sm:grid-cols-[1fr_2fr_auto]" onSubmit={() => add.mutate()}>
      <TextField label={t('form.name')} {...part('name')} />
      <TextField type="url" label={t('school.outside.url')} {...part('url')} />
      <Button type="submit" busy={add.isPending} className="sm:mt-7">
        {t('school.outside.add')}
      </Button>
      {faultsIn(add.error).length === 0 && <Failure error={add.error} />}
    </Form>
  );
}
