import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { eventQuery } from '../api/queries.ts';
import type { SchoolEvent, Slots } from '../api/types.ts';
import { slotsQuery, slotTime } from '../event/registration/slots.ts';
import { BackLink, Button } from '../parts/button.tsx';
import { Empty, joined, Loaded, Page, PageHeader } from '../parts/page.tsx';
import { whenText } from '../texts/dates.ts';
import { capital, groupName, t } from '../texts/texts.ts';

/** Who meets which teacher and when; printed on a page of its own for each teacher. */
export default function MeetingsPage() {
  const { id } = useParams({ from: '/signed-in/events/$id/meetings' });
  const event = useQuery(eventQuery(id));
  const slots = useQuery(slotsQuery(id));
  return (
    <Page title={[t('slots.list'), event.data?.title].filter(Boolean).join(': ')}>
      <Loaded query={joined({ event, slots })}>
        {({ event, slots }) => (
          <>
            <BackLink to="/events/$id" params={{ id: event.id }} data-print="yes">
              {event.title}
            </BackLink>
            <PageHeader title={t('slots.list')} text={capital(whenText(event))}>
              {slots.hosts.length > 0 && (
                <Button onClick={() => window.print()} icon={Printer}>
                  {t('print')}
                </Button>
              )}
            </PageHeader>
            {slots.hosts.length === 0 && <Empty title={t('slots.off')} />}
            <div className="grid gap-5 print:block">
              {slots.hosts.map(({ user_id, name }) => (
                <section
                  key={user_id}
                  aria-label={name}
                  className="rounded-card border border-line bg-card p-4 print:break-after-page print:border-0 print:p-0"
                >
                  <h2 className="mb-2 text-lg font-semibold">{name}</h2>
                  <table className="w-full border-collapse text-left">
                    <thead>
                      <tr className="border-b border-edge text-sm text-soft">
                        <th className="w-28 py-1.5 font-medium">{t('slots.time')}</th>
                        <th className="py-1.5 pr-3 font-medium">{t('slots.student')}</th>
                        <th className="py-1.5 pr-3 font-medium">{t('slots.parent')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {slots.data
                        .filter(({ host_user_id }) => host_user_id === user_id)
                        .map((slot) => (
                          <Row key={slot.minute} event={event} slot={slot} length={slots.length_minutes} />
                        ))}
                    </tbody>
                  </table>
                </section>
              ))}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

type RowProps = { event: SchoolEvent; slot: Slots['data'][number]; length: number };

function Row({ event, slot: { minute, is_free, taken_by }, length }: RowProps) {
  const classes = taken_by?.class_ids.map(groupName).join(', ');
  return (
    <tr className="h-9 break-inside-avoid border-b border-line align-top">
      <td className="py-1.5 whitespace-nowrap tabular-nums">
        {slotTime(event, minute)}–{slotTime(event, minute + length)}
      </td>
      <td className="py-1.5 pr-3">
        {taken_by ? (
          <>
            <span className="font-medium">{taken_by.name ?? taken_by.user_id}</span>
            {classes && <span className="text-soft"> · {classes}</span>}
            {taken_by.notes && <span className="block text-sm text-soft">{taken_by.notes}</span>}
          </>
        ) : (
          <span className="text-soft">{t(is_free ? 'slots.free' : 'slots.taken')}</span>
        )}
      </td>
      <td className="py-1.5 pr-3">{taken_by?.registered_by}</td>
    </tr>
  );
}
