import { useMutation, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { Refusal, wordsOf } from '../api/problem.ts';
import { eventChanged } from '../api/queries.ts';
import type { Foresight, SchoolEvent } from '../api/types.ts';
import { AudienceTold } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { notify } from '../parts/notices.tsx';
import { Trouble } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

type Props = {
  event: SchoolEvent;
  onClose: () => void;
  onDone: () => void;
  /** a 422 belongs to fields, not here */
  onFaults: (refusal: Refusal) => void;
};

/** Shows what publishing would do before it does it. */
export function PublishDialog({ event, onClose, onDone, onFaults }: Props) {
  const path = { id: event.id };
  const scope = event.is_recurring && !event.parent_event_id ? ('all' as const) : ('this' as const);
  const publish = useMutation({
    mutationFn: (key: string) =>
      bodyOf(
        api.POST('/api/v1/operations/events/{id}/publish', {
          params: { path, query: { scope }, header: { 'idempotency-key': key } },
        }),
      ),
    onSuccess: async () => {
      notify(t('publish.done', { title: event.title }));
      await eventChanged(event.id);
      onDone();
    },
    onError: (error) => notify(wordsOf(error), { bad: true }),
  });
  const foreseen = useQuery({
    queryKey: ['foresee', 'publish', event.id, event.updated_at],
    queryFn: async () => {
      const asked = api.POST('/api/v1/operations/events/{id}/publish', {
        params: { path, query: { scope, dry_run: true } },
      });
      return (await bodyOf(asked).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 422) onFaults(error);
        throw error;
      })) as unknown as Foresight;
    },
    // Once it is on its way nothing is foreseen any more, however often the event is told to have changed.
    enabled: publish.isIdle || publish.isError,
    gcTime: 0,
    retry: false,
  });
  const { data } = foreseen;
  const actions = (
    <>
      <Button onClick={onClose}>{t('publish.back')}</Button>
      <Button look="main" disabled={!data} busy={publish.isPending} onClick={() => publish.mutate(crypto.randomUUID())}>
        {data && data.changed_events > 1 ? t('publish.all', { count: data.changed_events }) : t('publish.button')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('publish.title', { title: event.title })} onClose={onClose} actions={actions}>
      {foreseen.error ? (
        <Trouble error={foreseen.error} again={() => void foreseen.refetch()} />
      ) : data ? (
        <AudienceTold foresight={data} nobody={t('publish.nobody')} />
      ) : (
        <Waiting lines={2} label={t('publish.asking')} />
      )}
    </Dialog>
  );
}
