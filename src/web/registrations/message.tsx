import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { errorText } from '../api/problem.ts';
import { optionsQuery } from '../api/queries.ts';
import type { MessageBody, RosterCounts, SchoolEvent } from '../api/types.ts';
import { AudiencePreview } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { ErrorMessage } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import type { RosterSearch } from './search.ts';

const PATH = '/api/v1/operations/events/{id}/registrations/messages';

type Props = { event: SchoolEvent; counts: RosterCounts['counts']; search: RosterSearch; onClose: () => void };

/** Sends a message to attendees, after a preview of who will receive it. */
export function MessageDialog({ event, counts, search, onClose }: Props) {
  const path = { id: event.id };
  const { data: options } = useQuery(optionsQuery);
  const addressed = options?.message_statuses ?? [];
  const [status, setStatus] = useState(() => addressed.find((one) => one === search.status));
  const [kind, setKind] = useState<MessageBody['kind']>(search.kind);
  const [channels, setChannels] = useState<MessageBody['channels']>(['email', 'in_app']);
  const [subject, setSubject] = useState('');
  const [text, setText] = useState('');
  const [wasSubmitted, setSubmitted] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const to = { ...(status ? { status } : {}), ...(kind ? { kind } : {}), channels };
  // Only the number of SMS depends on the text; deferred, so that typing stays fast.
  const [previewSubject, previewText] = [useDeferredValue(subject.trim()), useDeferredValue(text.trim())];
  const content = channels.includes('sms') ? { subject: previewSubject || '…', body: previewText || '…' } : SHORT;
  const preview = useQuery({
    queryKey: ['dry-run', 'message', event.id, to, content],
    queryFn: async ({ signal }) => {
      const asked = { params: { path, query: { dry_run: true } }, body: { ...to, ...content }, signal };
      return (await unwrap(api.POST(PATH, asked))) as Preview;
    },
    enabled: channels.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  const send = useMutation({
    mutationFn: () => {
      const params = { path, header: { 'idempotency-key': key } };
      return unwrap(api.POST(PATH, { params, body: { ...to, subject: subject.trim(), body: text.trim() } }));
    },
    onSuccess: () => {
      showNotice(t('message.sent', { people: preview.data?.people ?? 0 }));
      onClose();
    },
    onError: (error) => showNotice(errorText(error), { bad: true }),
  });
  const missing = { subject: subject.trim() === '', text: text.trim() === '', channels: channels.length === 0 };
  const submit = () => {
    setSubmitted(true);
    if (!Object.values(missing).some(Boolean)) send.mutate();
  };
  const faultOf = (field: keyof typeof missing) => (wasSubmitted && missing[field] ? t(`needed.${field}`) : undefined);
  const kinds = [...new Set(counts.map((one) => one.kind))];
  const statuses = addressed.filter((one) => one === status || counts.some((counted) => counted.status === one));
  const { data } = preview;
  const people = data?.people ?? 0;
  const actions = (
    <>
      <Button onClick={onClose}>{t('dialog.cancel')}</Button>
      <Button look="main" busy={send.isPending} disabled={people === 0} onClick={submit}>
        {t('message.send', { people })}
      </Button>
    </>
  );
  return (
    <Dialog title={t('message.title')} onClose={onClose} actions={actions}>
      <div className="grid gap-4">
        <div className="grid gap-3 sm:grid-cols-[3fr_2fr]">
          <Field label={t('message.to')}>
            {(props) => (
              <select
                {...props}
                value={status ?? ''}
                onChange={({ target }) => setStatus((target.value || undefined) as MessageBody['status'])}
                className={inputClass}
              >
                <option value="">{t('message.everyone')}</option>
                {statuses.map((one) => (
                  <option key={one} value={one}>
                    {word('registrationStatus', one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {kinds.length > 1 && (
            <Field label={t('registrations.kind')}>
              {(props) => (
                <select
                  {...props}
                  value={kind ?? ''}
                  onChange={({ target }) => setKind((target.value || undefined) as MessageBody['kind'])}
                  className={inputClass}
                >
                  <option value="">{t('registrations.allKinds')}</option>
                  {kinds.map((one) => (
                    <option key={one} value={one}>
                      {word('kind', one)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </div>
        <fieldset className="grid gap-1.5">
          <legend className="mb-1 font-medium">{t('message.channels')}</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-1">
            {options?.message_channels.map((channel) => (
              <label key={channel} className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  checked={channels.includes(channel)}
                  onChange={({ target }) =>
                    setChannels(target.checked ? [...channels, channel] : channels.filter((one) => one !== channel))
                  }
                  className="size-4.5 accent-(--color-accent)"
                />
                {word('channel', channel)}
              </label>
            ))}
          </div>
          {faultOf('channels') && <p className="text-sm font-medium text-bad">{faultOf('channels')}</p>}
        </fieldset>
        <Field label={t('message.subject')} fault={faultOf('subject')}>
          {(props) => (
            <input
              {...props}
              maxLength={options?.limits.message_subject}
              value={subject}
              onChange={({ target }) => setSubject(target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <Field label={t('message.text')} fault={faultOf('text')}>
          {(props) => (
            <textarea
              {...props}
              rows={5}
              maxLength={options?.limits.message_body}
              value={text}
              onChange={({ target }) => setText(target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <div aria-live="polite" className="rounded-lg bg-paper p-3">
          {preview.error ? (
            <ErrorMessage error={preview.error} />
          ) : data && !missing.channels ? (
            <>
              <AudiencePreview dryRun={{ audience: data.audience, people }} none={t('message.noOne')} />
              {data.sms_segments > 0 && (
                <p className="mt-1 text-sm text-soft">{t('message.segments', { count: data.sms_segments })}</p>
              )}
            </>
          ) : missing.channels ? (
            <p className="text-soft">{t('message.noOne')}</p>
          ) : (
            <Skeleton lines={1} label={t('actions.counting')} />
          )}
        </div>
      </div>
    </Dialog>
  );
}

const SHORT = { subject: '…', body: '…' };

type Preview = Parameters<typeof AudiencePreview>[0]['dryRun'] & { sms_segments: number };
