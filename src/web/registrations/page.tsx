import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Download, Mail, Printer, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { eventQuery, useMay } from '../api/queries.ts';
import type { ListedRegistration, SchoolEvent } from '../api/types.ts';
import { usePrinting } from '../app/media.ts';
import { ReasonField } from '../event-parts/reason-field.tsx';
import { AskDialog } from '../parts/ask.tsx';
import { BackLink, Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Empty, joined, Loaded, MoreButton, Page, PageHeader } from '../parts/page.tsx';
import { whenText } from '../texts/dates.ts';
import { capital, t } from '../texts/texts.ts';
import { isEnd, performAction, type RegistrationAction, rowsFor } from './act.ts';
import { AttendanceSheet } from './attendance-sheet.tsx';
import { countsQuery, download, invalidateRegistrations, type RegistrationSearch, registrationsQuery } from './data.ts';
import { countOf, Filters } from './filters.tsx';
import { MessageDialog } from './message.tsx';
import { Seats } from './seats.tsx';
import { SelectionBar } from './selection.tsx';
import { nameOf, RegistrationTable } from './table.tsx';

export default function RegistrationsPage() {
  const { id } = useParams({ from: '/signed-in/events/$id/registrations' });
  const search = useSearch({ from: '/signed-in/events/$id/registrations' });
  const event = useQuery(eventQuery(id));
  return (
    <Page title={[t('nav.registrations'), event.data?.title].filter(Boolean).join(': ')} wide>
      <Loaded query={event}>{(found) => <RegistrationList event={found} search={search} />}</Loaded>
    </Page>
  );
}

/** The registrations of an event. Its organizer may read them, and needs a permission to change them. */
function RegistrationList({ event, search }: { event: SchoolEvent; search: RegistrationSearch }) {
  const { id } = event;
  const manages = useMay('manage_registrations');
  const counted = useQuery(countsQuery(id));
  const registrations = useInfiniteQuery(registrationsQuery(id, search));
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedRegistration>>(new Map());
  const [asked, setAsked] = useState<{ action: 'cancel' | 'decline'; rows: ListedRegistration[] } | null>(null);
  const [writes, setWrites] = useState(false);
  const isPrinting = usePrinting();
  const { hasNextPage, isFetchingNextPage } = registrations;

  const counts = counted.data?.counts ?? [];
  const rows = registrations.data ?? [];
  // How many a search finds is known once all of them are loaded.
  const matching = !search.q ? countOf(counts, search) : hasNextPage ? null : rows.length;
  const waiting = countOf(counts, { status: 'waitlisted' });
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const chosen = [...selected.values()].map((row) => fresh.get(row.id) ?? row);

  const run = async (action: RegistrationAction, of: readonly ListedRegistration[], reason = '') => {
    const { done, faults } = await performAction(id, action, of, reason);
    await invalidateRegistrations(id);
    if (of.length > 1) setSelected(new Map());
    if (done > 0) showNotice(t(`registrationDone.${action}`, { count: done }));
    if (faults.length > 0) showNotice(faults.join(' '), { bad: true });
    else if (done < of.length) showNotice(t('registrations.leftOut', { count: of.length - done }), { bad: true });
  };
  const direct = useMutation({
    mutationFn: ([action, of]: [RegistrationAction, ListedRegistration[]]) => run(action, of),
  });
  const ask = (action: RegistrationAction, of: ListedRegistration[]) =>
    isEnd(action) ? setAsked({ action, rows: of }) : direct.mutate([action, of]);
  const file = useMutation({
    mutationFn: (as: 'xlsx' | 'csv') => download(id, search, `${t('nav.registrations')} ${event.title}`, as),
  });
  /** Loads the rows that are loaded as they are scrolled to otherwise. */
  const loadRest = async () => {
    let loaded: Pick<typeof registrations, 'data' | 'hasNextPage' | 'fetchNextPage'> = registrations;
    while (loaded.hasNextPage) loaded = await loaded.fetchNextPage({ throwOnError: true });
    return loaded.data ?? [];
  };
  const sheet = useMutation({ mutationFn: loadRest, onSuccess: () => window.print() });
  const selectAll = useMutation({
    mutationFn: loadRest,
    onSuccess: (all) => setSelected(toggled(new Map(), all, true)),
  });

  return (
    <>
      <BackLink to="/events/$id" params={{ id }} data-print="yes">
        {event.title}
      </BackLink>
      <PageHeader title={t(isPrinting ? 'sheet.title' : 'nav.registrations')} text={capital(whenText(event))}>
        <Menu
          label={t('registrations.export')}
          items={[
            { label: t('registrations.xlsx'), onSelect: () => file.mutate('xlsx') },
            { label: t('registrations.csv'), onSelect: () => file.mutate('csv') },
          ]}
          trigger={
            <Button busy={file.isPending} icon={Download}>
              {t('registrations.export')}
            </Button>
          }
        />
        <Button busy={sheet.isPending} disabled={rows.length === 0} onClick={() => sheet.mutate()} icon={Printer}>
          {t('sheet.print')}
        </Button>
        {manages && (
          <Button look="main" disabled={counts.length === 0} onClick={() => setWrites(true)} icon={Mail}>
            {t('registrations.message')}
          </Button>
        )}
      </PageHeader>
      <Loaded query={joined({ counted, registrations })}>
        {() => (
          <>
            <div data-print="no" className="mb-3">
              <Seats event={event} counts={counts} />
              <Filters counts={counts} search={search} />
            </div>
            {rows.length === 0 ? (
              <Empty
                icon={UsersRound}
                title={counts.length === 0 ? t('registrations.none') : t('registrations.noneMatch')}
              >
                {counts.length > 0 && (
                  <Link
                    to="/events/$id/registrations"
                    params={{ id }}
                    search={{}}
                    className="font-medium text-accent-text underline"
                  >
                    {t('registrations.showAll')}
                  </Link>
                )}
              </Empty>
            ) : isPrinting ? (
              <AttendanceSheet rows={rows} isCut={hasNextPage} search={search} />
            ) : (
              <RegistrationTable
                rows={rows}
                total={matching}
                event={event}
                selected={selected}
                onEnd={() => hasNextPage && !isFetchingNextPage && void registrations.fetchNextPage()}
                onAct={(action, row) => ask(action, [row])}
                onSelect={manages ? (some, on) => setSelected(toggled(selected, some, on)) : undefined}
              />
            )}
            {!isPrinting && <MoreButton query={registrations} />}
            {chosen.length > 0 && !isPrinting && (
              <SelectionBar
                selected={chosen}
                matching={matching}
                busy={direct.isPending || selectAll.isPending}
                onSelectAll={() => selectAll.mutate()}
                onAct={(action) => ask(action, rowsFor(action, chosen))}
                onClear={() => setSelected(new Map())}
              />
            )}
          </>
        )}
      </Loaded>
      {asked && (
        <EndDialog
          {...asked}
          waiting={waiting}
          run={(reason) => run(asked.action, asked.rows, reason)}
          onClose={() => setAsked(null)}
        />
      )}
      {writes && <MessageDialog event={event} counts={counts} search={search} onClose={() => setWrites(false)} />}
    </>
  );
}

function toggled(selected: ReadonlyMap<string, ListedRegistration>, rows: readonly ListedRegistration[], on: boolean) {
  const next = new Map(selected);
  for (const row of rows) {
    if (on) next.set(row.id, row);
    else next.delete(row.id);
  }
  return next;
}

type Props = {
  action: 'cancel' | 'decline';
  rows: readonly ListedRegistration[];
  /** number of people on the waitlist */
  waiting: number;
  run: (reason: string) => Promise<void>;
  onClose: () => void;
};

/** Confirms cancelling or declining registrations, and collects a reason. */
function EndDialog({ action, rows, waiting, run, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [only] = rows;
  const leaving = rows.filter(({ status }) => status === 'waitlisted').length;
  const left = waiting - leaving;
  return (
    <AskDialog
      title={
        rows.length === 1 && only
          ? t(`registrations.${action}One`, { name: nameOf(only) })
          : t(`registrations.${action}Many`, { count: rows.length })
      }
      confirm={t(`registrationAction.${action}`)}
      look="danger"
      cancel={t('dialog.goBack')}
      run={() => run(reason)}
      onClose={onClose}
    >
      <p>
        {leaving === rows.length
          ? t('registrations.endWaiting', { count: rows.length })
          : left > 0
            ? t('registrations.waitlistText', { count: left })
            : t('registrations.endText', { count: rows.length })}
      </p>
      <ReasonField hint={t('registrations.reasonHint')} rows={3} value={reason} onChange={setReason} />
    </AskDialog>
  );
}
