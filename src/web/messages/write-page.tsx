import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { HOLD_SECONDS, showUndo } from '../actions/perform.ts';
import { api, unwrap } from '../api/client.ts';
import { faultAt } from '../api/problem.ts';
import type { NewMessage } from '../api/types.ts';
import { AudienceFields } from '../event-parts/groups.tsx';
import { BackLink } from '../parts/button.tsx';
import { ChannelBoxes } from '../parts/forms/channel-boxes.tsx';
import { Form, SubmitBar, useFormMutation, useLeaveQuestion } from '../parts/forms/form.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { ReminderField } from '../parts/forms/reminder-field.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { showFailure, showNotice } from '../parts/notices.tsx';
import { Page, Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { invalidateMessages, withdraw } from './data.ts';
import { MessagePreview, useMessagePreview } from './preview.tsx';
import { isIncomplete, NOTHING, SavedTextChoice, TranslatedText, trimmed } from './translated-text.tsx';

const PATH = '/api/v1/operations/messages';

type Draft = Required<NewMessage>;

const EMPTY: Draft = {
  ...NOTHING,
  channels: ['email', 'push', 'in_app'],
  urgent: false,
  target_audience: ['all'],
  class_id: null,
  grade_level_ids: [],
  asks_acknowledgement: false,
  acknowledgement_reminder: null,
  reply_to: 'school',
};

/** The message whose sending was undone: the form begins with it. */
let undone: Draft | null = null;

/** Writes a message to the school, or to a part of it. */
export default function WritePage() {
  const navigate = useNavigate({ from: '/messages/new' });
  const [draft, setDraft] = useState(() => undone ?? EMPTY);
  const [wasSubmitted, setSubmitted] = useState(false);
  const change = (some: Partial<Draft>) => setDraft((before) => ({ ...before, ...some }));
  const part = partsOf('', draft, change);
  const preview = usePreview(draft);
  const isWritten = draft.subject !== '' || draft.body !== '' || draft.translations !== null;
  const send = useFormMutation({
    mutationFn: () => {
      const params = { query: { hold_seconds: HOLD_SECONDS } };
      return unwrap(api.POST(PATH, { params, body: { ...draft, ...trimmed(draft) } }));
    },
    onSuccess: (message) => {
      if (!('id' in message)) return;
      undone = null;
      void invalidateMessages();
      const people = preview.data?.people ?? 0;
      const writeAgain = () => {
        send.reset();
        void navigate({ to: '/messages/new' });
      };
      showUndo(t('schoolMessage.done'), people, () => void takeBack(message.id, draft, writeAgain));
      // Busy until the next page shows: a second press would send the message again.
      return navigate({ to: '/messages/$id', params: { id: message.id } });
    },
  });
  useLeaveQuestion(isWritten && !send.isPending && !send.isSuccess);
  const hasChannels = draft.channels.length > 0;
  const hasReminderChannels = draft.acknowledgement_reminder?.channels.length !== 0;
  return (
    <Page title={t('schoolMessage.new')} needs="send_messages">
      <BackLink to="/messages">{t('nav.messages')}</BackLink>
      <Form
        className="grid gap-4"
        onSubmit={() => {
          setSubmitted(true);
          if (!isIncomplete(draft) && hasChannels && hasReminderChannels) send.mutate();
        }}
      >
        <h1 className="text-2xl font-semibold">{t('schoolMessage.new')}</h1>
        <Section title={t('schoolMessage.to')} spaced>
          <AudienceFields
            audience={{ ...draft, class_id: draft.class_id ?? '' }}
            onChange={({ class_id = draft.class_id, ...more }) => change({ ...more, class_id: class_id || null })}
          />
        </Section>
        <Section title={t('schoolMessage.content')} spaced>
          <SavedTextChoice
            isWritten={isWritten}
            onChoose={({ subject, body, translations }) => change({ subject, body, translations })}
          />
          <TranslatedText written={draft} showsFaults={wasSubmitted} onChange={change} />
        </Section>
        <Section title={t('schoolMessage.sending')} spaced>
          <ChannelBoxes {...part('channels')} fault={hasChannels ? undefined : t('needed.channels')} />
          <Switch
            label={t('schoolMessage.urgent')}
            hint={t(draft.urgent ? 'schoolMessage.urgentHint' : 'schoolMessage.calmHint')}
            {...part('urgent')}
          />
          <Switch
            label={t('schoolMessage.replies')}
            hint={t('schoolMessage.repliesHint')}
            value={draft.reply_to === 'sender'}
            onChange={(on) => change({ reply_to: on ? 'sender' : 'school' })}
          />
          <Switch
            label={t('asks.readers')}
            hint={t('schoolMessage.asksHint')}
            value={draft.asks_acknowledgement}
            onChange={(on) => change({ asks_acknowledgement: on, ...(on ? {} : { acknowledgement_reminder: null }) })}
          />
          {draft.asks_acknowledgement && (
            <ReminderField
              label={t('asks.remind')}
              textOf={(hours) => t('schoolMessage.asksReminderAfter', { hours })}
              {...part('acknowledgement_reminder')}
            />
          )}
          <MessagePreview query={preview} />
        </Section>
        <SubmitBar
          error={faultAt(send.error, '/reply_to') ?? send.error}
          busy={send.isPending}
          disabled={(preview.data?.people ?? 0) === 0}
        >
          {t('message.send', { people: preview.data?.people ?? 0 })}
        </SubmitBar>
      </Form>
    </Page>
  );
}

const SHORT = { subject: '…', body: '…', translations: null };

/** Counts who would get the message. Only the number of SMS depends on its text; deferred, so that typing stays fast. */
function usePreview(draft: Draft) {
  const late = useDeferredValue(draft);
  const isComplete = late.channels.includes('sms') && !isIncomplete(late);
  const body = {
    ...late,
    ...(isComplete ? trimmed(late) : SHORT),
    reply_to: 'school' as const,
    acknowledgement_reminder: null,
  };
  return useMessagePreview(['school-message'], body, (body, signal) =>
    unwrap(api.POST(PATH, { params: { query: { dry_run: true } }, body, signal })),
  );
}

/** Withdraws the message before anyone gets it, and opens the form with it again. */
async function takeBack(id: string, draft: Draft, open: () => void): Promise<void> {
  try {
    await withdraw(id);
    undone = draft;
    showNotice(t('schoolMessage.undone'));
    open();
  } catch (error) {
    showFailure(error);
  }
}
