import { useMutation, useQuery } from '@tanstack/react-query';
import { dryRun } from '../actions/perform.ts';
import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { invalidateEvent } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { AudiencePreview } from '../event-parts/audience.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { showNotice } from '../parts/notices.tsx';
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
  const scope = event.is_recurring && !event.parent_event_id ? ('all' as const) : undefined;
  const publish = useMutation({
    mutationFn: (key: string) =>
      unwrap(
        api.POST('/api/v1/operations/events/{id}/publish', {
          params: { path: { id: event.id }, query: { scope }, header: { 'idempotency-key': key } },
        }),
      ),
    onSuccess: async () => {
      showNotice(t('publish.done', { title: event.title }));
      await invalidateEvent(event.id);
      onDone();
    },
  });
  const preview = useQuery({
    queryKey: ['dry-run', 'publish', event.id, event.updated_at],
    queryFn: () =>
      dryRun(event.id, 'publish', {}, { scope }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 422) onFaults(error);
        throw error;
      }),
    // Stop once publishing begins: it changes the event, and a dry run of a published event fails.
    enabled: publish.isIdle || publish.isError,
    gcTime: 0,
    retry: false,
  });
  const count = preview.data?.changed_events ?? 0;
  return (
    <ConfirmDialog
      title={t('publish.title', { title: event.title })}
      confirm={count > 1 ? t('publish.all', { count }) : t('action.publish')}
      busy={publish.isPending}
      disabled={!preview.data}
      onClose={onClose}
      onConfirm={() => publish.mutate(crypto.randomUUID())}
    >
      <Loaded query={preview} label={t('actions.counting')} lines={2}>
        {(data) => <AudiencePreview dryRun={data} none={t('publish.noOne')} />}
      </Loaded>
    </ConfirmDialog>
  );
}
