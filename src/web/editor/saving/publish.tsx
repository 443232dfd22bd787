import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dryRun } from '../../actions/perform.ts';
import { holdOf, showDone } from '../../actions/undo.ts';
import { api, unwrap } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import { invalidateEvent, retry } from '../../api/queries.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { AudiencePreview } from '../../dry-run/audience.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Choice } from '../../parts/forms/choice.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { Loaded } from '../../parts/page.tsx';
import { cityOf, momentIn } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { instantOf } from '../draft/wall-time.ts';

type Props = {
  event: SchoolEvent;
  onClose: () => void;
  onDone: () => void;
  /** receives a 422, whose errors belong to fields */
  onFaults: (error: ApiError) => void;
};

/** Shows the dry run of publishing, and publishes now or at a later time. */
export default function PublishDialog({ event, onClose, onDone, onFaults }: Props) {
  const scope = event.is_recurring && !event.parent_event_id ? ('all' as const) : undefined;
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [at, setAt] = useState('');
  const publish_at = when === 'later' ? instantOf(at, event.timezone) : null;
  const publish = useMutation({
    mutationFn: (key: string) => {
      const query = { scope, ...(publish_at ? {} : holdOf('publish')) };
      const params = { path: { id: event.id }, query, header: { 'idempotency-key': key } };
      return unwrap(
        publish_at
          ? api.POST('/api/v1/operations/events/{id}/schedule', { params, body: { publish_at } })
          : api.POST('/api/v1/operations/events/{id}/publish', { params }),
      );
    },
    retry,
    onSuccess: async (after) => {
      const { title, timezone } = event;
      const done = publish_at
        ? t('publish.scheduled', { title, when: momentIn(publish_at, timezone) })
        : t('publish.done', { title });
      showDone(event.id, done, 'undo' in after ? after.undo : undefined, preview.data?.people ?? 0);
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
  });
  const count = preview.data?.changed_events ?? 0;
  return (
    <ConfirmDialog
      title={t('publish.title', { title: event.title })}
      confirm={when === 'later' ? t('action.schedule') : count > 1 ? t('publish.all', { count }) : t('action.publish')}
      busy={publish.isPending}
      disabled={!preview.data || (when === 'later' && !publish_at)}
      onClose={onClose}
      onConfirm={() => publish.mutate(crypto.randomUUID())}
    >
      {event.allowed_actions.includes('schedule') && (
        <Choice
          label={t('publish.when')}
          value={when}
          onChange={setWhen}
          options={(['now', 'later'] as const).map((value) => ({ value, label: t(`publish.${value}`) }))}
        />
      )}
      {when === 'later' && (
        <TextField
          type="datetime-local"
          label={t('publish.at')}
          hint={t('editor.zone', { city: cityOf(event.timezone) })}
          value={at}
          onChange={setAt}
        />
      )}
      <Loaded query={preview} lines={2}>
        {(data) => <AudiencePreview dryRun={data} none={t('publish.noOne')} />}
      </Loaded>
    </ConfirmDialog>
  );
}
