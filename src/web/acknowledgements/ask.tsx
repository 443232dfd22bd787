import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { announce } from '../parts/notices.tsx';
import { viewedAs } from '../session/stored.ts';
import { t } from '../texts/texts.ts';
import { acknowledge, acknowledgementQuery } from './data.ts';

/** Asks the reader of an event's page to confirm; nothing for those who are not asked. */
export function Ask({ event_id }: { event_id: string }) {
  const { data } = useQuery(acknowledgementQuery(event_id));
  if (!data || data.state === 'not_asked') return null;
  return (
    <div className="rounded-card border border-line bg-card px-4 py-3">
      <Confirm event_id={event_id} state={data.state} />
    </div>
  );
}

/** The question to confirm having read something with its button, or that this is done. */
export function Confirm({ event_id, state }: { event_id: string; state: 'asked' | 'confirmed' }) {
  const confirm = useMutation({
    mutationFn: () => acknowledge(event_id),
    onSuccess: () => announce(t('acknowledge.done')),
  });
  if (state === 'confirmed')
    return (
      <p className="flex items-center gap-1.5 text-sm font-medium text-good">
        <CircleCheck size={16} className="shrink-0" />
        {t('acknowledge.done')}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span>{t('acknowledge.ask')}</span>
      <Button look="main" disabled={viewedAs() !== null} busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('acknowledge.confirm')}
      </Button>
    </p>
  );
}
