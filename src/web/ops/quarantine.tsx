import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react';
import { invalidate } from '../api/queries.ts';
import { AskButton } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Empty, List } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { discard, quarantineQuery, redrive } from './queries.ts';
import { Row } from './row.tsx';

/** The quarantine: staff retry or discard each message. */
export function Quarantine() {
  const messages = useInfiniteQuery(quarantineQuery);
  const retry = useMutation({
    mutationFn: redrive,
    onSuccess: () => showNotice(t('ops.redriven')),
    onSettled: reload,
  });
  return (
    <List
      query={messages}
      none={<Empty icon={CircleCheck} title={t('ops.quarantine.none')} text={t('ops.quarantine.none.text')} />}
    >
      {(row) => (
        <Row key={row.id} row={row}>
          <Button
            icon={RotateCcw}
            busy={retry.isPending && retry.variables === row.id}
            onClick={() => retry.mutate(row.id)}
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
            run={() => discardAndSay(row.id)}
          >
            {t('ops.discard.text')}
          </AskButton>
        </Row>
      )}
    </List>
  );
}

const reload = () => invalidate(['ops']);

async function discardAndSay(id: string): Promise<void> {
  await discard(id).finally(reload);
  showNotice(t('ops.discarded'));
}
