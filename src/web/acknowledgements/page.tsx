import './texts.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { ChevronLeft, Phone, Printer } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api/problem.ts';
import type { ToCall } from '../api/types.ts';
import { NotFound } from '../app/not-found.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { groupName } from '../texts/groups.ts';
import { t } from '../texts/texts.ts';
import { callListQuery, recordCall, type Subject, titleQuery } from './data.ts';

/** The people to call about an event or a message, on the screen and on paper. */
function CallListPage() {
  const { kind, id } = Route.useParams() as Subject;
  const about = { kind, id };
  const list = useQuery(callListQuery(about));
  const { data: title = '' } = useQuery(titleQuery(about));
  const [reached, setReached] = useState<ToCall | null>(null);
  if (list.error instanceof ApiError && list.error.status === 404) return <NotFound />;
  return (
    <Page title={t('calls.title')}>
      <Link
        to={kind === 'event' ? '/events/$id' : '/messages/$id'}
        params={{ id }}
        data-print="no"
        className="-ml-1.5 mb-2 inline-flex min-h-8 items-center gap-1 rounded-lg px-1.5 text-sm font-medium text-soft hover:bg-hover hover:text-ink"
      >
        <ChevronLeft size={16} aria-hidden />
        {t('calls.back')}
      </Link>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold">{t('calls.title')}</h1>
          <p className="text-soft">{t('calls.about', { title })}</p>
        </div>
        <Button data-print="no" onClick={() => window.print()}>
          <Printer size={17} aria-hidden />
          {t('calls.print')}
        </Button>
      </div>
      <Loaded query={list} label={t('calls.title')} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-soft">{t('calls.none')}</p>
          ) : (
            <table className="w-full text-left">
              <thead className="text-sm text-soft">
                <tr>
                  <th className="py-1 pr-3 font-medium">{t('calls.person')}</th>
                  <th className="py-1 pr-3 font-medium max-sm:sr-only">{t('calls.class')}</th>
                  <th className="py-1 pr-3 font-medium">{t('calls.numbers')}</th>
                  <th className="py-1 font-medium">
                    <span className="sr-only print:not-sr-only">{t('calls.note')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((row) => (
                  <Row key={row.user_id} row={row} onReached={() => setReached(row)} />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {reached && <ReachedDialog about={about} person={reached} onClose={() => setReached(null)} />}
    </Page>
  );
}

function Row({ row: { name, class_ids, numbers }, onReached }: { row: ToCall; onReached: () => void }) {
  const classes = class_ids.map(groupName).join(', ');
  return (
    <tr className="break-inside-avoid border-t border-line align-top">
      <td className="py-2 pr-3 font-medium">
        {name}
        <span className="block text-sm font-normal text-soft sm:hidden">{classes}</span>
      </td>
      <td className="py-2 pr-3 max-sm:hidden">{classes}</td>
      <td className="py-2 pr-3">
        {numbers.length === 0 && <span className="text-soft">{t('calls.noPhone')}</span>}
        {numbers.map(({ user_id, name: who, phone }) => (
          <a
            key={user_id}
            href={`tel:${phone}`}
            className="flex min-h-8 flex-wrap items-center gap-x-2 text-accent-text underline max-sm:min-h-11"
          >
            <Phone size={15} aria-hidden className="shrink-0" />
            <span className="whitespace-nowrap tabular-nums">{phone}</span>
            <span>{who}</span>
          </a>
        ))}
      </td>
      <td className="py-2 text-right print:w-1/3">
        <Button data-print="no" aria-label={t('calls.reachedWho', { name })} onClick={onReached}>
          {t('calls.reached')}
        </Button>
      </td>
    </tr>
  );
}

type DialogProps = { about: Subject; person: ToCall; onClose: () => void };

function ReachedDialog({ about, person: { user_id, name }, onClose }: DialogProps) {
  const [note, setNote] = useState('');
  const save = useMutation({
    mutationFn: () => recordCall(about, user_id, note.trim() || null),
    onSuccess: () => {
      onClose();
      showNotice(t('calls.done'));
    },
  });
  return (
    <ConfirmDialog
      title={t('calls.reachedWho', { name })}
      confirm={t('calls.save')}
      busy={save.isPending}
      onClose={onClose}
      onConfirm={() => save.mutate()}
    >
      <TextField label={t('calls.note')} hint={t('calls.noteHint')} maxLength={1000} value={note} onChange={setNote} />
    </ConfirmDialog>
  );
}

export const Route = createLazyRoute('/signed-in/calls/$kind/$id')({ component: CallListPage });
