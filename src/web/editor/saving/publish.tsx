import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dryRun, perform } from '../../actions/perform.ts';
import { showDone } from '../../actions/undo.ts';
import { invalidateEvent } from '../../api/queries.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { AudiencePreview } from '../../dry-run/audience.tsx';
import { AskDialog } from '../../parts/ask.tsx';
import { Choice } from '../../parts/forms/choice.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { Loaded } from '../../parts/page.tsx';
import { cityOf, momentIn } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { instantOf } from '../draft/wall-time.ts';
import type { EventForm } from '../form.ts';
import { isAboutFields } from './requests.ts';

type Props = {
  event: SchoolEvent;
  form: EventForm;
  onClose: () => void;
  /** the server refused to publish; the state of the form has the reasons */
  onFaults: () => void;
  onDone: () => void;
};

/** Shows the dry run of publishing, and publishes now or at a later time. */
export default function PublishDialog({ event, form, onClose, onFaults, onDone }: Props) {
  const scope = event.is_recurring && !event.parent_event_id ? ('all' as const) : undefined;
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [at, setAt] = useState('');
  const publish_at = when === 'later' ? instantOf(at, event.timezone) : null;
  const preview = useQuery({
    queryKey: ['dry-run', 'publish', event.id, event.updated_at],
    queryFn: () =>
      dryRun(event.id, 'publish', {}, { scope }).catch((error: unknown) => {
        if (isAboutFields(error)) {
          form.refuse(error);
          onFaults();
        }
        throw error;
      }),
  });
  const count = preview.data?.changed_events ?? 0;
  const finish = async (after: Partial<SchoolEvent>) => {
    const { title, timezone } = event;
    const done = publish_at
      ? t('publish.scheduled', { title, when: momentIn(publish_at, timezone) })
      : t('publish.done', { title });
    showDone(event.id, done, after.undo, preview.data?.people ?? 0);
    await invalidateEvent(event.id);
    onDone();
  };
  return (
    <AskDialog
      title={t('publish.title', { title: event.title })}
      confirm={when === 'later' ? t('action.schedule') : count > 1 ? t('publish.all', { count }) : t('action.publish')}
      disabled={!preview.data || (when === 'later' && !publish_at)}
      run={() => perform(event.id, publish_at ? 'schedule' : 'publish', publish_at ? { publish_at } : {}, { scope })}
      onDone={finish}
      onClose={onClose}
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
    </AskDialog>
  );
}
