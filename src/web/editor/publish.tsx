import { useMutation, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { ApiError, errorText } from '../api/problem.ts';
import { invalidateEvent } from '../api/queries.ts';
import type { DryRun, SchoolEvent } from '../api/types.ts';
import { AudiencePreview } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { showNotice } from '../parts/notices.tsx';
import { ErrorMessage } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

type Props = {
  event: SchoolEvent;
  onClose: () => void;
  onDone: () => void;
  /** receives a 422, whose errors belong to fields */
  onFaults: (error: ApiError) => void;
};

/** Shows the dry run of publishing, and publishes. */
export function PublishDialog({ event, onClose, onDone, onFaults }: Props) {
  const path = { id: event.id };
  const scope = event.is_recurring && !event.parent_event_id ? ('all' as const) : ('this' as const);
  const publish = useMutation({
    mutationFn: (key: string) =>
      unwrap(
        api.POST('/api/v1/operations/events/{id}/publish', {
          params: { path, query: { scope }, header: { 'idempotency-key': key } },
        }),
      ),
    onSuccess: async () => {
      showNotice(t('publish.done', { title: event.title }));
      await invalidateEvent(event.id);
      onDone();
    },
    onError: (error) => showNotice(errorText(error), { bad: true }),
  });
  const preview = useQuery({
    queryKey: ['dry-run', 'publish', event.id, event.updated_at],
    queryFn: async () => {
      const asked = api.POST('/api/v1/operations/events/{id}/publish', {
        params: { path, query: { scope, dry_run: true } },
      });
      return (await unwrap(asked).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 422) onFaults(error);
        throw error;
      })) as unknown as DryRun;
    },
    // Stop once publishing begins: it changes the event, and a dry run of a published event fails.
    enabled: publish.isIdle || publish.isError,
    gcTime: 0,
    retry: false,
  });
  const { data } = preview;
  const actions = (
    <>
      <Button onClick={onClose}>{t('dialog.cancel')}</Button>
      <Button look="main" disabled={!data} busy={publish.isPending} onClick={() => publish.mutate(crypto.randomUUID())}>
        {data && data.changed_events > 1 ? t('publish.all', { count: data.changed_events }) : t('publish.button')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('publish.title', { title: event.title })} onClose={onClose} actions={actions}>
      {preview.error ? (
        <ErrorMessage error={preview.error} onRetry={() => void preview.refetch()} />
      ) : data ? (
        <AudiencePreview dryRun={data} none={t('publish.noOne')} />
      ) : (
        <Skeleton lines={2} label={t('actions.counting')} />
      )}
    </Dialog>
  );
}
