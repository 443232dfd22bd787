import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { discard, type Quarantined, quarantineQuery, redrive } from './queries.ts';
import { Row } from './row.tsx';

/** The quarantine: staff retry or discard each message. */
export function Quarantine() {
  const messages = useInfiniteQuery(quarantineQuery);
  const [discarding, setDiscarding] = useState<Quarantined | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const decision = useMutation({
    mutationFn: ({ row, how }: { row: Quarantined; how: typeof redrive }) => how(row.id),
    retry: false,
    onSuccess: (_done, { how }) => showNotice(how === discard ? t('ops.discarded') : t('ops.redriven')),
    onSettled: async () => {
      setDiscarding(null);
      await queryClient.invalidateQueries({ queryKey: ['ops'] });
      list.current?.focus();
    },
  });
  const isBusy = (row: Quarantined) => decision.isPending && decision.variables.row.id === row.id;
  return (
    <div ref={list} tabIndex={-1} className="grid gap-3 outline-none">
      <Loaded query={messages} label={t('ops.waiting')}>
        {(rows) => (
          <div className="rounded-card border border-line bg-card">
            {rows.length === 0 ? (
              <Empty
                icon={<CircleCheck size={30} aria-hidden className="text-good" />}
                title={t('ops.quarantine.none')}
              >
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
                          busy={isBusy(row)}
                          onClick={() => decision.mutate({ row, how: redrive })}
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
        )}
      </Loaded>
      <MoreButton query={messages} label={t('inbox.more')} />
      {discarding && (
        <ConfirmDialog
          title={t('ops.discard.ask')}
          confirm={t('ops.discard')}
          look="danger"
          busy={isBusy(discarding)}
          onClose={() => setDiscarding(null)}
          onConfirm={() => decision.mutate({ row: discarding, how: discard })}
        >
          <p>{t('ops.discard.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
