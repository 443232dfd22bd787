import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { HOLD_SECONDS } from '../actions/undo.ts';
import { api, unwrap } from '../api/client.ts';
import { errorText, faultAt } from '../api/problem.ts';
import { groupsQuery, optionsQuery, retry } from '../api/queries.ts';
import type { Group, NewMessage } from '../api/types.ts';
import { nextAudience } from '../event-parts/visibility.ts';
import { BackLink } from '../parts/button-link.tsx';
import { ChannelBoxes } from '../parts/forms/channel-boxes.tsx';
import { Select, wordOptions } from '../parts/forms/field.tsx';
import { Form, SubmitBar } from '../parts/forms/form.tsx';
import { useLeaveQuestion } from '../parts/forms/leave-question.ts';
import { Pills } from '../parts/forms/pills.tsx';
import { ReminderField } from '../parts/forms/reminder-field.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { groupName } from '../texts/groups.ts';
import { t } from '../texts/texts.ts';
import { invalidateMessages, withdraw } from './data.ts';
import { MessagePreview, type Preview } from './preview.tsx';
import { SavedTextChoice } from './saved-texts.tsx';
import { missingIn, NOTHING, TranslatedText, trimmed } from './translated-text.tsx';

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
function WritePage() {
  const navigate = Route.useNavigate();
  const [draft, setDraft] = useState(() => undone ?? EMPTY);
  const [isSent, setSent] = useState(false);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const change = (some: Partial<Draft>) => setDraft((before) => ({ ...before, ...some }));
  const preview = usePreview(draft);
  const isWritten = draft.subject !== '' || draft.body !== '' || draft.translations !== null;
  useLeaveQuestion(isWritten && !isSent);
  const send = useMutation({
    mutationFn: () => {
      const params = { query: { hold_seconds: HOLD_SECONDS }, header: { 'idempotency-key': key } };
      return unwrap(api.POST(PATH, { params, body: { ...draft, ...trimmed(draft) } }));
    },
    retry,
    meta: { showsError: true },
    onMutate: () => setSent(true),
    onError: () => setSent(false),
    onSuccess: (message) => {
      if (!('id' in message)) return;
      undone = null;
      void invalidateMessages();
      void navigate({ to: '/messages/$id', params: { id: message.id } });
      const people = preview.data?.people ?? 0;
      const run = () => void takeBack(message.id, draft, () => void navigate({ to: '/messages/new' }));
      const text = (seconds: number) => t('undo.until', { done: t('schoolMessage.done'), people, seconds });
      showNotice(text, { undo: { label: t('move.undo'), run }, seconds: HOLD_SECONDS });
    },
  });
  const missing = missingIn(draft);
  const hasChannels = draft.channels.length > 0;
  const hasReminderChannels = draft.acknowledgement_reminder?.channels.length !== 0;
  return (
    <Page title={t('schoolMessage.new')}>
      <BackLink to="/messages">{t('nav.messages')}</BackLink>
      <Form
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={() => {
          setSubmitted(true);
          if (missing.length === 0 && hasChannels && hasReminderChannels && !send.isPending) send.mutate();
        }}
      >
        <h1 className="text-2xl font-semibold">{t('schoolMessage.new')}</h1>
        <Section title={t('schoolMessage.to')}>
          <To draft={draft} change={change} />
        </Section>
        <Section title={t('schoolMessage.content')}>
          <div className="grid gap-4">
            <SavedTextChoice
              isWritten={isWritten}
              onChoose={({ subject, body, translations }) => change({ subject, body, translations })}
            />
            <TranslatedText written={draft} faults={wasSubmitted ? missing : []} onChange={change} />
          </div>
        </Section>
        <Section title={t('schoolMessage.sending')}>
          <div className="grid gap-4">
            <ChannelBoxes
              channels={draft.channels}
              fault={hasChannels ? undefined : t('needed.channels')}
              onChange={(channels) => change({ channels })}
            />
            <Switch
              label={t('schoolMessage.urgent')}
              hint={t(draft.urgent ? 'schoolMessage.urgentHint' : 'schoolMessage.calmHint')}
              checked={draft.urgent}
              onChange={(urgent) => change({ urgent })}
            />
            <Switch
              label={t('schoolMessage.replies')}
              hint={t('schoolMessage.repliesHint')}
              checked={draft.reply_to === 'sender'}
              onChange={(on) => change({ reply_to: on ? 'sender' : 'school' })}
            />
            <Switch
              label={t('schoolMessage.asks')}
              hint={t('schoolMessage.asksHint')}
              checked={draft.asks_acknowledgement}
              onChange={(on) => change({ asks_acknowledgement: on, ...(on ? {} : { acknowledgement_reminder: null }) })}
            />
            {draft.asks_acknowledgement && (
              <ReminderField
                label={t('schoolMessage.asksReminder')}
                textOf={(hours) => t('schoolMessage.asksReminderAfter', { hours })}
                reminder={draft.acknowledgement_reminder}
                onChange={(acknowledgement_reminder) => change({ acknowledgement_reminder })}
                fault={hasReminderChannels ? undefined : t('needed.channels')}
              />
            )}
            <MessagePreview query={preview} isForNoOne={!hasChannels}>
              {({ people, addressed }) =>
                people < addressed && (
                  <p className="mt-1 text-sm text-soft">{t('schoolMessage.addressed', { people, addressed })}</p>
                )
              }
            </MessagePreview>
          </div>
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

type ToProps = { draft: Draft; change: (some: Partial<Draft>) => void };

/** The people that the message is for. */
function To({ draft: { target_audience, class_id, grade_level_ids }, change }: ToProps) {
  const { data: options } = useQuery(optionsQuery);
  const { data: groups } = useQuery(groupsQuery);
  return (
    <div className="grid gap-4">
      <Pills
        label={t('people.label')}
        choices={wordOptions('audience', options?.target_audience ?? [])}
        chosen={target_audience}
        onChange={(chosen) => change({ target_audience: nextAudience(target_audience, chosen) })}
      />
      {(groups?.class_ids.length ?? 0) > 0 && (
        <Select
          label={t('filter.class')}
          value={class_id ?? ''}
          onChange={(chosen) => change({ class_id: chosen || null })}
          none={t('schoolMessage.allClasses')}
          options={choicesOf(groups?.class_ids)}
        />
      )}
      <Pills
        label={t('schoolMessage.grades')}
        choices={choicesOf(groups?.grade_level_ids)}
        chosen={grade_level_ids}
        onChange={(chosen) => change({ grade_level_ids: chosen })}
      />
    </div>
  );
}

const choicesOf = (groups: readonly Group[] = []) =>
  groups.map(({ id, people }) => {
    const name = groupName(id);
    return { value: id, label: people ? t('schoolMessage.group', { name, people }) : name };
  });

const SHORT = { subject: '…', body: '…', translations: null };

/** Counts who would get the message. Only the number of SMS depends on its text; deferred, so that typing stays fast. */
function usePreview(draft: Draft) {
  const late = useDeferredValue(draft);
  const isComplete = late.channels.includes('sms') && missingIn(late).length === 0;
  const body = {
    ...late,
    ...(isComplete ? trimmed(late) : SHORT),
    reply_to: 'school' as const,
    acknowledgement_reminder: null,
  };
  return useQuery({
    queryKey: ['dry-run', 'school-message', body],
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST(PATH, { params: { query: { dry_run: true } }, body, signal }))) as Preview & {
        addressed: number;
      },
    enabled: draft.channels.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
}

/** Withdraws the message before anyone gets it, and opens the form with it again. */
async function takeBack(id: string, draft: Draft, open: () => void): Promise<void> {
  try {
    await withdraw(id);
    undone = draft;
    showNotice(t('schoolMessage.undone'));
    open();
  } catch (error) {
    showNotice(errorText(error), { bad: true });
  }
}

export const Route = createLazyRoute('/signed-in/messages/new')({ component: WritePage });
