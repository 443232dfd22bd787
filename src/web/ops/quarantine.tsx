import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react';
import { invalidate } from '../api/queries.ts';
import { AskButton } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Empty, List } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { discard, type Quarantined, quarantineQuery, redrive } from './queries.ts';
import { Row } from './row.tsx';

/** The quarantine: staff retry or discard each message. */
export function Quarantine() {
  const messages = useInfiniteQuery(quarantineQuery);
  const decision = useMutation({
    mutationFn: ({ row, how }: { row: Quarantined; how: typeof redrive }) => how(row.id),
    onSuccess: (_done, { how }) => showNotice(how === discard ? t('ops.discarded') : t('ops.redriven')),
    onSettled: () => invalidate(['ops']),
  });
  return (
    <div className="grid gap-3">
      <List
        query={messages}
        none={<Empty icon={CircleCheck} title={t('ops.quarantine.none')} text={t('ops.quarantine.none.text')} />}
      >
        {(row) => (
          <Row key={row.id} row={row}>
            <Button
              icon={RotateCcw}
              busy={decision.isPending && decision.variables.row.id === row.id}
              onClick={() => decision.mutate({ row, how: redrive })}
              of={row.name}
            >
              {t('ops.redrive')}
            </Button>
            <AskButton
              look="danger"
              icon={Trash2}
              label={t('ops.discard')}
              of={row.name}
              title={t('ops.discard.ask')}
              run={() => decision.mutateAsync({ row, how: discard })}
            >
              {t('ops.discard.text')}
            </AskButton>
          </Row>
        )}
      </List>
    </div>
  );
}
