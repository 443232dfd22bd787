import { Bell, Paperclip, Plus } from 'lucide-react';
import { GroupSelect, useGroups } from '../../event-parts/groups.tsx';
import { PeoplePicker } from '../../event-parts/picker.tsx';
import { FileDrop } from '../../files/file-drop.tsx';
import { PictureField, useIsUploaded } from '../../files/picture-field.tsx';
import { Button } from '../../parts/button.tsx';
import { Fault } from '../../parts/forms/checkbox.tsx';
import { Select, TextField } from '../../parts/forms/field.tsx';
import { changed, RemoveButton } from '../../parts/forms/list-parts.tsx';
import { partsOf } from '../../parts/forms/parts-of.ts';
import { ReminderField } from '../../parts/forms/reminder-field.tsx';
import { sizeText, t, word, wordOptions } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { filledAttachments } from '../draft/body.ts';
import type { Draft } from '../draft/draft.ts';
import { Toggle, Words } from '../inputs.tsx';

/** Step 5: reminders, tags, pictures, attachments and organizer. */
export function Advanced() {
  const { field } = useEditing();
  return (
    <>
      <Reminders />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Words name="tags" />
        <Words name="categories" />
      </div>
      <PictureField
        upload={t('editor.uploadImage')}
        use="banner"
        link={t('editor.image')}
        className="max-h-40 min-w-0 rounded-xl object-contain"
        {...field('image_url')}
      />
      <PictureField
        upload={t('editor.uploadBanner')}
        use="banner"
        link={t('editor.banner')}
        className="max-h-40 min-w-0 grow rounded-xl object-cover"
        {...field('banner_url')}
      />
      <Attachments />
      <Organizer />
      <Toggle name="is_active" hint={t('editor.activeHint')} />
    </>
  );
}

/** Minutes as text, for example `1 day before`. */
function offsetText(minutes: number): string {
  if (minutes % 10080 === 0) return t('reminder.weeks', { count: minutes / 10080 });
  if (minutes % 1440 === 0) return t('reminder.days', { count: minutes / 1440 });
  if (minutes % 60 === 0) return t('reminder.hours', { count: minutes / 60 });
  return t('reminder.minutes', { count: minutes });
}

function Reminders() {
  const { draft, edit, options, faultOf, field } = useEditing();
  const { reminders, send_notifications } = draft;
  const change = (at: number, more: Partial<Draft['reminders'][number]> | null) =>
    edit({ reminders: changed(reminders, at, more) });
  const taken = (type: string, offset: number) => reminders.some((one) => one.type === type && one.offset === offset);
  const next = options.reminder_offsets
    .toReversed()
    .flatMap((offset) => options.reminder_types.map((type) => ({ type, offset })))
    .find(({ type, offset }) => offset <= 1440 && !taken(type, offset));
  return (
    <section className="grid gap-4 rounded-xl border border-line p-4">
      <Toggle name="send_notifications" hint={t('editor.notifyHint')} />
      <Toggle name="asks_acknowledgement" hint={t('editor.asksHint')} />
      {draft.asks_acknowledgement && (
        <ReminderField
          {...field('acknowledgement_reminder')}
          textOf={(hours) => t('editor.asksReminderAfter', { hours })}
        />
      )}
      <h3 className="flex items-center gap-2 font-medium">
        <Bell size={17} />
        {t('editor.reminders')}
      </h3>
      {!send_notifications && reminders.length > 0 && (
        <p className="text-sm text-warn">{t('editor.remindersSilent')}</p>
      )}
      {reminders.length > 0 && (
        <ul className="grid gap-2">
          {reminders.map(({ type, offset }, at) => (
            // The key must not change with the choices, or their fields lose the focus.
            <li key={String(at)} className="grid grid-cols-[1fr_auto] gap-2 sm:flex sm:items-end">
              <div className="max-sm:col-span-2">
                <Select
                  hidesLabel
                  label={t('event.schedule')}
                  value={offset}
                  onChange={(value) => change(at, { offset: value })}
                  options={[...new Set([...options.reminder_offsets, offset])].map((value) => ({
                    value,
                    label: offsetText(value),
                    disabled: value !== offset && taken(type, value),
                  }))}
                />
              </div>
              <Select
                hidesLabel
                label={t('message.channel')}
                value={type}
                onChange={(value) => change(at, { type: value })}
                options={[...new Set([...options.reminder_types, type])].map((value) => ({
                  value,
                  label: word('channel', value),
                  disabled: value !== type && taken(value, offset),
                }))}
              />
              <RemoveButton what={offsetText(offset)} onClick={() => change(at, null)} />
            </li>
          ))}
        </ul>
      )}
      <Fault>{faultOf('reminders')}</Fault>
      {next && (
        <Button className="justify-self-start" onClick={() => edit({ reminders: [...reminders, next] })} icon={Plus}>
          {t('editor.addReminder')}
        </Button>
      )}
    </section>
  );
}

function Attachments() {
  const isUploaded = useIsUploaded();
  const { draft, edit, faultOf } = useEditing();
  const { attachments } = draft;
  const filled = filledAttachments(draft);
  const change = (at: number, more: Partial<Draft['attachments'][number]> | null) =>
    edit({ attachments: changed(attachments, at, more) });
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{t('event.attachments')}</h3>
      {attachments.map((attachment, at) => {
        const { name, url, size } = attachment;
        const sentAt = filled.indexOf(attachment);
        const part = partsOf(`attachments.${sentAt}.`, attachment, (more) => change(at, more), faultOf);
        return (
          <div key={String(at)} className="grid gap-3 sm:grid-cols-[1fr_2fr_auto] sm:items-start">
            <TextField label={t('editor.attachmentName')} autoFocus={name === ''} {...part('name')} />
            {isUploaded(url) ? (
              <a
                href={url}
                target="_blank"
                rel="noreferrer"
                className="flex min-h-10 items-center gap-1.5 text-accent-text underline sm:mt-7"
              >
                <Paperclip size={16} className="shrink-0" />
                {t('editor.openFile', { size: sizeText(size ?? 0) })}
              </a>
            ) : (
              <TextField type="url" label={t('editor.attachmentUrl')} {...part('url')} />
            )}
            <RemoveButton
              className="justify-self-start sm:mt-7"
              what={name || t('editor.attachment')}
              onClick={() => change(at, null)}
            />
          </div>
        );
      })}
      <FileDrop
        label={t('editor.uploadFiles')}
        use="attachment"
        onUploaded={(file) => edit({ attachments: [...attachments, file] })}
      />
      <Button
        className="justify-self-start"
        onClick={() => edit({ attachments: [...attachments, { name: '', url: '' }] })}
        icon={Plus}
      >
        {t('editor.addAttachment')}
      </Button>
    </section>
  );
}

const TYPES = ['staff', 'department', 'organization'] as const;

/** The organizer of the event: a person with rights to it, a department, and the name and address that people see. */
function Organizer() {
  const { draft, edit, faultOf, field } = useEditing();
  const { departments } = useGroups();
  const { organizer, organizer_id } = draft;
  const part = partsOf('organizer.', organizer, (more) => edit({ organizer: { ...organizer, ...more } }), faultOf);
  return (
    <section className="grid gap-4 rounded-xl border border-line p-4">
      <h3 className="font-medium">{t('event.organizer')}</h3>
      <PeoplePicker
        label={t('editor.organizerPerson')}
        hint={t('editor.organizerHint')}
        value={organizer_id === '' ? [] : [organizer_id]}
        onChange={(ids) => edit({ organizer_id: ids.at(-1) ?? '' })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <GroupSelect none={t('editor.noDepartment')} groups={departments} {...field('department_id')} />
        <Select
          label={t('editor.organizerType')}
          options={wordOptions<string>('organizerType', TYPES)}
          {...part('type')}
        />
        <TextField label={t('editor.organizerName')} {...part('name')} />
        <TextField
          type="email"
          label={t('editor.organizerEmail')}
          hint={t('editor.organizerEmailHint')}
          {...part('email')}
        />
      </div>
    </section>
  );
}
