import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Inbox, Layers, X } from 'lucide-react';
import { eventQuery, useMay } from '../api/queries.ts';
import { useFilterChange } from '../app/search.ts';
import { useFoundEvents } from '../event-parts/find-events.ts';
import { type Matches, PeoplePicker, Picker } from '../event-parts/picker.tsx';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/forms/field.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { TypedField } from '../parts/forms/search-box.tsx';
import { Empty, List, Loaded, Page, PageHeader } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Answers } from '../reports/answers.tsx';
import { settingsQuery } from '../settings/queries.ts';
import { whenText } from '../texts/dates.ts';
import { t, wordOptions } from '../texts/texts.ts';
import { Quarantine } from './quarantine.tsx';
import { countQuery, deliveriesQuery, type OpsSearch, openQueueBoard, queuesQuery } from './queries.ts';
import { Queues } from './queues.tsx';
import { Row } from './row.tsx';

export default function OpsPage() {
  const search: OpsSearch = useSearch({ from: '/signed-in/ops' });
  const queues = useQuery(queuesQuery);
  const managesQueues = useMay('manage_queues');
  const opening = useMutation({
    mutationFn: openQueueBoard,
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <Page title={t('nav.ops')} wide>
      <PageHeader title={t('nav.ops')}>
        {managesQueues && (
          <Button icon={Layers} busy={opening.isPending} onClick={() => opening.mutate()}>
            {t('ops.board')}
          </Button>
        )}
      </PageHeader>
      <Loaded query={queues}>
        {({ data, statuses }) => (
          // Blocks in print: Safari cuts rows within a grid.
          <div className="grid gap-5 print:block print:space-y-5">
            <section aria-labelledby="queues" className="grid gap-2">
              <h2 id="queues" className="text-lg font-semibold">
                {t('ops.queues')}
              </h2>
              <Queues queues={data} />
            </section>
            <section aria-labelledby="messages" className="grid gap-3 print:block print:space-y-3">
              <div className="flex flex-wrap items-center gap-3">
                <h2 id="messages" className="text-lg font-semibold">
                  {t('nav.messages')}
                </h2>
                <Tabs
                  label={t('ops.which')}
                  tabs={([undefined, 'quarantine'] as const).map((show) => ({
                    to: '/ops',
                    search: { show },
                    isOn: search.show === show,
                    label: t(`ops.show.${show ?? 'all'}`),
                  }))}
                />
              </div>
              {search.show === 'quarantine' ? (
                <Quarantine />
              ) : (
                <>
                  <Filters search={search} statuses={statuses} />
                  <Deliveries search={search} />
                </>
              )}
            </section>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const countOf = ({ show: _, ...filters }: OpsSearch): number => Object.values(filters).filter(Boolean).length;

function Filters({ search, statuses }: { search: OpsSearch; statuses: readonly string[] }) {
  const navigate = useNavigate({ from: '/ops' });
  const { data: choices } = useQuery(settingsQuery);
  const byName = useMay('choose_audience');
  const put = useFilterChange<OpsSearch>();
  const part = partsOf('', search, put);
  const triggers = choices?.messages.map(({ trigger }) => trigger) ?? [];
  const used = choices?.messages[0]?.channels.filter(({ reason }) => reason !== 'channel_off') ?? [];
  const channels = used.map(({ channel }) => channel);
  const selects = [
    ['status', t('filter.status'), wordOptions('opsStatus', statuses)],
    ['channel', t('message.channel'), wordOptions<string>('channel', channels)],
    ['trigger', t('ops.filter.trigger'), wordOptions<string>('trigger', triggers)],
  ] as const;
  const count = countOf(search);
  return (
    <div data-print="no" className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3 lg:grid-cols-7">
      {selects.map(([name, label, options]) => (
        <Select key={name} label={label} none={t('ops.any')} options={options} {...part(name)} />
      ))}
      <div className="col-span-2">
        <EventPicker chosen={search.event_id} onChange={(event_id) => put({ event_id })} />
      </div>
      {byName ? (
        <div className="col-span-2">
          <PeoplePicker
            label={t('people.person')}
            value={search.user_id ? [search.user_id] : []}
            onChange={(ids) => put({ user_id: ids.at(-1) })}
          />
        </div>
      ) : (
        <TypedField
          label={t('ops.filter.user_id')}
          value={search.user_id ?? ''}
          onChange={(user_id) => put({ user_id })}
        />
      )}
      {count > 0 && (
        <Button look="quiet" onClick={() => void navigate({ search: {}, resetScroll: false })} icon={X}>
          {t('filter.clear', { count })}
        </Button>
      )}
    </div>
  );
}

function Deliveries({ search }: { search: OpsSearch }) {
  const messages = useInfiniteQuery(deliveriesQuery(search));
  const { data: count } = useQuery(countQuery(search));
  const manages = useMay('manage_registrations');
  return (
    <>
      {search.user_id && manages && <Answers user_id={search.user_id} />}
      <p aria-live="polite" className="text-soft">
        {count &&
          t(count.is_capped ? 'ops.countedMost' : 'ops.counted', { messages: count.messages, people: count.people })}
      </p>
      <List
        query={messages}
        none={
          <Empty
            icon={Inbox}
            title={t('ops.none')}
            text={countOf(search) > 0 ? t('ops.none.filtered') : t('ops.none.text')}
          />
        }
      >
        {(row) => <Row key={row.id} row={row} />}
      </List>
    </>
  );
}

/** Picks one event by its title; the last one picked replaces the one before. */
function EventPicker({ chosen, onChange }: { chosen: string | undefined; onChange: (event_id: string) => void }) {
  const { data: event } = useQuery({ ...eventQuery(chosen ?? ''), enabled: chosen !== undefined, retry: false });
  return (
    <Picker
      label={t('card.label')}
      hint={t('ops.filter.eventHint')}
      none={t('ops.filter.noEvent')}
      value={chosen ? [chosen] : []}
      onChange={(ids) => onChange(ids.at(-1) ?? '')}
      nameOf={() => event?.title}
      useMatches={useEvents}
    />
  );
}

function useEvents(typed: string): Matches {
  const found = useFoundEvents(typed);
  return { ...found, data: found.data?.map((one) => ({ id: one.id, label: one.title, hint: whenText(one) })) };
}
