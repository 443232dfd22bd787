import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Inbox, X } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { Empty, Skeleton } from '../parts/empty.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { ErrorMessage, Page } from '../parts/page.tsx';
import { settingsQuery } from '../settings/queries.ts';
import { t, word } from '../texts/texts.ts';
import { Quarantine } from './quarantine.tsx';
import { deliveriesQuery, queuesQuery } from './queries.ts';
import { Queues } from './queues.tsx';
import { Row } from './row.tsx';
import type { Filter, OpsSearch } from './search.ts';

function OpsPage() {
  const search: OpsSearch = Route.useSearch();
  const { data, error, refetch } = useQuery(queuesQuery);
  return (
    <Page title={t('nav.ops')} wide>
      <h1 className="mb-4 text-2xl font-semibold">{t('nav.ops')}</h1>
      {error && !data ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton label={t('ops.waiting')} lines={6} />
      ) : (
        <div className="grid gap-5">
          <section aria-labelledby="queues" className="grid gap-2">
            <h2 id="queues" className="text-lg font-semibold">
              {t('ops.queues')}
            </h2>
            <Queues queues={data.data} />
          </section>
          <section aria-labelledby="messages" className="grid gap-3">
            <div className="flex flex-wrap items-center gap-3">
              <h2 id="messages" className="text-lg font-semibold">
                {t('ops.messages')}
              </h2>
              <nav aria-label={t('ops.which')} data-print="no" className="flex gap-1 rounded-xl bg-hover p-1">
                {([undefined, 'quarantine'] as const).map((show) => (
                  <Link
                    key={show ?? 'all'}
                    to="/ops"
                    search={show ? { show } : {}}
                    aria-current={search.show === show ? 'page' : undefined}
                    className="flex min-h-8 items-center rounded-lg px-3 font-medium text-soft hover:text-ink aria-[current=page]:bg-card aria-[current=page]:text-ink aria-[current=page]:shadow-sm"
                  >
                    {t(`ops.show.${show ?? 'all'}`)}
                  </Link>
                ))}
              </nav>
            </div>
            {search.show === 'quarantine' ? (
              <Quarantine />
            ) : (
              <>
                <Filters search={search} statuses={data.statuses} />
                <Deliveries search={search} />
              </>
            )}
          </section>
        </div>
      )}
    </Page>
  );
}

function Filters({ search, statuses }: { search: OpsSearch; statuses: readonly string[] }) {
  const navigate = useNavigate();
  const { data: choices } = useQuery(settingsQuery);
  const put = (name: Filter, value: string) => {
    const { [name]: _, ...others } = search;
    void navigate({ to: '/ops', search: value === '' ? others : { ...others, [name]: value }, replace: true });
  };
  const used = choices?.messages[0]?.channels.filter(({ reason }) => reason !== 'channel_off') ?? [];
  const selects = [
    ['status', 'opsStatus', statuses],
    ['channel', 'channel', used.map(({ channel }) => channel)],
    ['trigger', 'trigger', choices?.messages.map(({ trigger }) => trigger) ?? []],
  ] as const;
  const count = Object.keys(search).length;
  return (
    <div data-print="no" className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-6">
      {selects.map(([name, kind, values]) => (
        <Field key={name} label={t(`ops.filter.${name}`)}>
          {(props) => (
            <select
              {...props}
              value={search[name] ?? ''}
              onChange={(event) => put(name, event.target.value)}
              className={inputClass}
            >
              <option value="">{t('ops.any')}</option>
              {values.map((value) => (
                <option key={value} value={value}>
                  {word(kind, value)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      {(['user_id', 'event_id'] as const).map((name) => (
        <Field key={`${name} ${search[name] ?? ''}`} label={t(`ops.filter.${name}`)}>
          {(props) => (
            <input
              {...props}
              defaultValue={search[name] ?? ''}
              onBlur={(event) => put(name, event.target.value.trim())}
              onKeyDown={(event) => event.key === 'Enter' && put(name, event.currentTarget.value.trim())}
              className={inputClass}
            />
          )}
        </Field>
      ))}
      {count > 0 && (
        <Button look="quiet" onClick={() => void navigate({ to: '/ops', search: {} })}>
          <X size={16} aria-hidden />
          {t('ops.clear', { count })}
        </Button>
      )}
    </div>
  );
}

function Deliveries({ search }: { search: OpsSearch }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    deliveriesQuery(search),
  );
  if (error && !data) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ops.waiting')} lines={6} />;
  const rows = data.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="rounded-card border border-line bg-card">
        {rows.length === 0 ? (
          <Empty icon={<Inbox size={30} aria-hidden />} title={t('ops.none')}>
            <p>{Object.keys(search).length > 0 ? t('ops.none.filtered') : t('ops.none.text')}</p>
          </Empty>
        ) : (
          <ul>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
        )}
      </div>
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('ops.more')}
        </Button>
      )}
    </>
  );
}

export const Route = createLazyRoute('/signed-in/ops')({ component: OpsPage });
