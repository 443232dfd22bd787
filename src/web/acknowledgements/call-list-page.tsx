import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Phone, Printer } from 'lucide-react';
import { useState } from 'react';
import { isMissing } from '../api/problem.ts';
import { eventQuery, useSchoolZone } from '../api/queries.ts';
import type { ToCall } from '../api/types.ts';
import { instantOf } from '../editor/draft/wall-time.ts';
import { messageQuery } from '../messages/data.ts';
import { AskDialog } from '../parts/ask.tsx';
import { BackLink, Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded, NotFound, Page, PageHeader } from '../parts/page.tsx';
import type { Subject } from '../reports/report.ts';
import { groupName, t } from '../texts/texts.ts';
import { callListQuery, recordCall } from './data.ts';

/** The people to call about an event or a message, on the screen and on paper. */
export default function CallListPage() {
  const { kind, id } = useParams({ from: '/signed-in/calls/$kind/$id' }) as Subject;
  const about = { kind, id };
  const [deadline, setDeadline] = useState('');
  const list = useQuery(callListQuery(about, instantOf(deadline, useSchoolZone()) ?? undefined));
  const { data: event } = useQuery({ ...eventQuery(id), enabled: kind === 'event' });
  const { data: message } = useQuery({ ...messageQuery(id), enabled: kind === 'message' });
  const title = event?.title ?? message?.subject ?? '';
  const [reached, setReached] = useState<ToCall | null>(null);
  if (isMissing(list.error)) return <NotFound />;
  return (
    <Page title={t('calls.title')}>
      <BackLink to={kind === 'event' ? '/events/$id' : '/messages/$id'} params={{ id }}>
        {t('nav.back')}
      </BackLink>
      <PageHeader title={t('calls.title')} text={title && t('calls.about', { title })}>
        <Button onClick={() => window.print()} icon={Printer}>
          {t('print')}
        </Button>
      </PageHeader>
      <div className="mb-4 max-w-80" data-print="no">
        <TextField
          type="datetime-local"
          label={t('calls.deadline')}
          hint={t('calls.deadlineHint')}
          value={deadline}
          onChange={setDeadline}
        />
      </div>
      <Loaded query={list}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-soft">{t(deadline ? 'calls.noneMissed' : 'calls.none')}</p>
          ) : (
            <table className="w-full text-left">
              <thead className="text-sm text-soft max-sm:sr-only">
                <tr>
                  <th className="py-1 pr-3 font-medium">{t('people.name')}</th>
                  <th className="py-1 pr-3 font-medium">{t('filter.class')}</th>
                  <th className="py-1 pr-3 font-medium">{t('people.phone')}</th>
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
    <tr className="break-inside-avoid border-t border-line align-top max-sm:flex max-sm:flex-wrap">
      <td className="grow basis-32 py-2 pr-3 font-medium wrap-anywhere">
        {name}
        <span className="block text-sm font-normal text-soft sm:hidden">{classes}</span>
      </td>
      <td className="py-2 pr-3 max-sm:hidden">{classes}</td>
      <td className="py-2 pr-3 max-sm:order-last max-sm:basis-full max-sm:pt-0">
        {numbers.length === 0 && <span className="text-soft">{t('calls.noPhone')}</span>}
        {numbers.map(({ user_id, name: who, phone }) => (
          <a
            key={user_id}
            href={`tel:${phone}`}
            className="flex min-h-8 flex-wrap items-center gap-x-2 text-accent-text underline max-sm:min-h-11"
          >
            <Phone size={15} className="shrink-0" />
            <span className="whitespace-nowrap tabular-nums">{phone}</span>
            <span className="min-w-0 wrap-anywhere">{who}</span>
          </a>
        ))}
      </td>
      <td className="py-2 text-right print:w-1/3">
        <Button aria-label={t('calls.reachedWho', { name })} onClick={onReached}>
          {t('calls.reached')}
        </Button>
      </td>
    </tr>
  );
}

type DialogProps = { about: Subject; person: ToCall; onClose: () => void };

function ReachedDialog({ about, person: { user_id, name }, onClose }: DialogProps) {
  const [note, setNote] = useState('');
  return (
    <AskDialog
      title={t('calls.reachedWho', { name })}
      confirm={t('calls.save')}
      run={() => recordCall(about, user_id, note.trim() || null)}
      onDone={() => showNotice(t('calls.done'))}
      onClose={onClose}
    >
      <TextField label={t('calls.note')} hint={t('calls.noteHint')} maxLength={1000} value={note} onChange={setNote} />
    </AskDialog>
  );
}
