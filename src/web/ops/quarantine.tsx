import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorText } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Empty, Skeleton } from '../parts/empty.tsx';
import { showNotice } from '../parts/notices.tsx';
import { ErrorMessage } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { discard, type Quarantined, quarantineQuery, redrive } from './queries.ts';
import { Row } from './row.tsx';

/** The quarantine: staff retry or discard each message. */
export function Quarantine() {
  const client = useQueryClient();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(quarantineQuery);
  const [discarding, setDiscarding] = useState<Quarantined | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const decide = async (row: Quarantined, how: typeof redrive, done: string) => {
    setBusy(row.id);
    try {
      await how(row.id);
      showNotice(done);
    } catch (fault) {
      showNotice(errorText(fault), { bad: true });
    }
    setBusy(null);
    setDiscarding(null);
    await client.invalidateQueries({ queryKey: ['ops'] });
    list.current?.focus();
  };
  if (error && !data) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ops.waiting')} />;
  const rows = data.pages.flatMap((page) => page.data);
  return (
    <div ref={list} tabIndex={-1} className="grid gap-3 outline-none">
      <div className="rounded-card border border-line bg-card">
        {rows.length === 0 ? (
          <Empty icon={<CircleCheck size={30} aria-hidden className="text-good" />} title={t('ops.quarantine.none')}>
            <p>{t('ops.quarantine.none.text')}</p>
          </Empty>
        ) : (
          <ul>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                actions={
                  <>
                    <Button
                      busy={busy === row.id}
                      onClick={() => void decide(row, redrive, t('ops.redriven'))}
                      aria-label={t('ops.redriveOf', { name: row.name })}
                    >
                      <RotateCcw size={16} aria-hidden />
                      {t('ops.redrive')}
                    </Button>
                    <Button
                      look="danger"
                      onClick={() => setDiscarding(row)}
                      aria-label={t('ops.discardOf', { name: row.name })}
                    >
                      <Trash2 size={16} aria-hidden />
                      {t('ops.discard')}
                    </Button>
                  </>
                }
              />
            ))}
          </ul>
        )}
      </div>
      {hasNextPage && (
        <Button className="justify-self-center" onClick={() => void fetchNextPage()}>
          {t('ops.more')}
        </Button>
      )}
      {discarding && (
        <Dialog
          title={t('ops.discard.ask')}
          onClose={() => setDiscarding(null)}
          actions={
            <>
              <Button onClick={() => setDiscarding(null)}>{t('dialog.cancel')}</Button>
              <Button
                look="danger"
                busy={busy === discarding.id}
                onClick={() => void decide(discarding, discard, t('ops.discarded'))}
              >
                {t('ops.discard')}
              </Button>
            </>
          }
        >
          <p>{t('ops.discard.text')}</p>
        </Dialog>
      )}
    </div>
  );
}
