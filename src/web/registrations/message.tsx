import { useDeferredValue, useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { useEventOptions } from '../api/queries.ts';
import type { MessageBody, RegistrationCounts, SchoolEvent } from '../api/types.ts';
import { MessagePreview, useMessagePreview } from '../messages/preview.tsx';
import { emptyParts, SavedTextChoice, trimmedWords, WordsFields } from '../messages/translated-text.tsx';
import { AskDialog } from '../parts/ask.tsx';
import { ChannelBoxes } from '../parts/forms/channel-boxes.tsx';
import { Checkbox } from '../parts/forms/checkbox.tsx';
import { Select } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { language, t, wordOptions } from '../texts/texts.ts';
import type { RegistrationSearch } from './data.ts';

const PATH = '/api/v1/operations/events/{id}/registrations/messages';

type Props = {
  event: SchoolEvent;
  counts: RegistrationCounts['counts'];
  search: RegistrationSearch;
  onClose: () => void;
};

/** Sends a message to attendees, after a preview of who will receive it. */
export function MessageDialog({ event, counts, search, onClose }: Props) {
  const path = { id: event.id };
  const options = useEventOptions();
  const addressed = options?.message_statuses ?? [];
  const [status, setStatus] = useState(() => addressed.find((one) => one === search.status));
  const [kind, setKind] = useState<MessageBody['kind']>(search.kind);
  const [channels, setChannels] = useState<MessageBody['channels']>(['email', 'in_app']);
  const [words, setWords] = useState({ subject: '', body: '' });
  const [wasSubmitted, setSubmitted] = useState(false);
  const [unanswered, setUnanswered] = useState(false);
  const to = { status, kind, channels, unanswered };
  // Only the number of SMS depends on the text; deferred, so that typing stays fast.
  const late = useDeferredValue(words);
  const { subject, body } = channels.includes('sms') ? late : SHORT;
  const content = { subject: subject.trim() || '…', body: body.trim() || '…' };
  const preview = useMessagePreview(['message', event.id], { ...to, ...content }, (body, signal) =>
    unwrap(api.POST(PATH, { params: { path, query: { dry_run: true } }, body, signal })),
  );
  const empty = emptyParts(words);
  const hasChannels = channels.length > 0;
  const kinds = [...new Set(counts.map((one) => one.kind))];
  const statuses = addressed.filter((one) => one === status || counts.some((counted) => counted.status === one));
  const people = preview.data?.people ?? 0;
  return (
    <AskDialog
      title={t('registrations.message')}
      confirm={t('message.send', { people })}
      disabled={people === 0}
      check={() => {
        setSubmitted(true);
        return empty.length === 0 && hasChannels;
      }}
      run={() => unwrap(api.POST(PATH, { params: { path }, body: { ...to, ...trimmedWords(words) } }))}
      onDone={() => showNotice(t('message.sent', { people }))}
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-[3fr_2fr]">
        <Select
          label={t('message.to')}
          value={status ?? ''}
          onChange={(chosen) => setStatus(chosen || undefined)}
          none={t('message.everyone')}
          options={wordOptions('registrationStatus', statuses)}
        />
        {kinds.length > 1 && (
          <Select
            label={t('registrations.kind')}
            value={kind ?? ''}
            onChange={(chosen) => setKind(chosen || undefined)}
            none={t('registrations.allKinds')}
            options={wordOptions('kind', kinds)}
          />
        )}
      </div>
      {event.registration_questions.some(({ required }) => required) && (
        <Checkbox
          value={unanswered}
          onChange={(on) => {
            setUnanswered(on);
            if (on && empty.length === 2) setWords({ subject: t('message.openSubject'), body: t('message.openText') });
          }}
        >
          {t('message.unanswered')}
        </Checkbox>
      )}
      <ChannelBoxes
        value={channels}
        fault={wasSubmitted && !hasChannels ? t('needed.channels') : undefined}
        onChange={setChannels}
      />
      <SavedTextChoice
        isWritten={empty.length < 2}
        onChoose={(saved) => setWords(saved.translations?.[language()] ?? saved)}
      />
      <WordsFields words={words} showsFaults={wasSubmitted} onChange={setWords} />
      <MessagePreview query={preview} />
    </AskDialog>
  );
}

const SHORT = { subject: '', body: '' };
