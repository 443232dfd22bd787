import { Bell, Plus, Trash2 } from 'lucide-react';
import { Button } from '../../parts/button.tsx';
import { Field, inputClass } from '../../parts/field.tsx';
import { t, word } from '../../texts/texts.ts';
import { useEditing, useSet, useValue } from '../context.tsx';
import type { Draft } from '../draft.ts';
import { Input, Toggle, Words } from '../inputs.tsx';
import { Audience } from './audience.tsx';

/** Step 5: audience, reminders, tags, banner and attachments. */
export function Advanced() {
  const banner = useValue('banner_url');
  return (
    <>
      <Audience />
      <Reminders />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Words name="tags" label={t('editor.tags')} hint={t('editor.wordsHint')} />
        <Words name="categories" label={t('editor.categories')} hint={t('editor.wordsHint')} />
      </div>
      <Input name="banner_url" type="url" inputMode="url" label={t('editor.banner')} placeholder="https://" />
      {/^https:\/\/./.test(banner) && (
        <img
          src={banner}
          alt={t('editor.bannerPreview')}
          onError={({ currentTarget }) => currentTarget.remove()}
          className="max-h-40 w-full rounded-xl object-cover"
        />
      )}
      <Attachments />
    </>
  );
}

/** Minutes as text, for example `1 day before`. */
export function offsetText(minutes: number): string {
  if (minutes % 10080 === 0) return t('reminder.weeks', { count: minutes / 10080 });
  if (minutes % 1440 === 0) return t('reminder.days', { count: minutes / 1440 });
  if (minutes % 60 === 0) return t('reminder.hours', { count: minutes / 60 });
  return t('reminder.minutes', { count: minutes });
}

function Reminders() {
  const { options, faultOf } = useEditing();
  const reminders = useValue('reminders');
  const silent = !useValue('send_notifications');
  const set = useSet();
  const change = (at: number, more: Partial<Draft['reminders'][number]>) =>
    set(
      'reminders',
      reminders.map((one, i) => (i === at ? { ...one, ...more } : one)),
    );
  const taken = (type: string, offset: number) => reminders.some((one) => one.type === type && one.offset === offset);
  const next = options.reminder_offsets
    .toReversed()
    .flatMap((offset) => options.reminder_types.map((type) => ({ type, offset })))
    .filter(({ offset }) => offset <= 1440)
    .find(({ type, offset }) => !taken(type, offset));
  const fault = faultOf('reminders');
  return (
    <section className="grid gap-4 rounded-xl border border-line p-4">
      <Toggle name="send_notifications" label={t('editor.notify')} hint={t('editor.notifyHint')} />
      <h3 className="flex items-center gap-2 font-medium">
        <Bell size={17} aria-hidden />
        {t('editor.reminders')}
      </h3>
      {silent && reminders.length > 0 && <p className="text-sm text-warn">{t('editor.remindersSilent')}</p>}
      {reminders.length > 0 && (
        <ul className="grid gap-2">
          {reminders.map(({ type, offset }, at) => (
            <li key={`${type}-${offset}`} className="grid grid-cols-[1fr_auto] gap-2 sm:flex sm:items-end">
              <select
                aria-label={t('reminder.when')}
                value={offset}
                onChange={({ target }) => change(at, { offset: Number(target.value) })}
                className={`${inputClass} max-sm:col-span-2`}
              >
                {[...new Set([...options.reminder_offsets, offset])].map((one) => (
                  <option key={one} value={one} disabled={one !== offset && taken(type, one)}>
                    {offsetText(one)}
                  </option>
                ))}
              </select>
              <select
                aria-label={t('reminder.channel')}
                value={type}
                onChange={({ target }) => change(at, { type: target.value as typeof type })}
                className={inputClass}
              >
                {options.reminder_types.map((one) => (
                  <option key={one} value={one} disabled={one !== type && taken(one, offset)}>
                    {word('channel', one)}
                  </option>
                ))}
              </select>
              <Button
                look="quiet"
                aria-label={t('editor.remove', { what: offsetText(offset) })}
                onClick={() =>
                  set(
                    'reminders',
                    reminders.filter((_, i) => i !== at),
                  )
                }
                className="min-h-10"
              >
                <Trash2 size={17} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {fault && <p className="text-sm font-medium text-bad">{fault}</p>}
      {next && (
        <Button className="justify-self-start" onClick={() => set('reminders', [...reminders, next])}>
          <Plus size={16} aria-hidden />
          {t('editor.addReminder')}
        </Button>
      )}
    </section>
  );
}

function Attachments() {
  const { faultOf } = useEditing();
  const attachments = useValue('attachments');
  const set = useSet();
  const change = (at: number, more: Partial<Draft['attachments'][number]>) =>
    set(
      'attachments',
      attachments.map((one, i) => (i === at ? { ...one, ...more } : one)),
    );
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{t('editor.attachments')}</h3>
      {attachments.map(({ name, url }, at) => (
        <div key={String(at)} className="grid gap-3 sm:grid-cols-[1fr_2fr_auto] sm:items-start">
          <Field label={t('editor.attachmentName')} fault={faultOf(`attachments.${at}.name`)}>
            {(props) => (
              <input
                {...props}
                value={name}
                onChange={({ target }) => change(at, { name: target.value })}
                className={inputClass}
              />
            )}
          </Field>
          <Field label={t('editor.attachmentUrl')} fault={faultOf(`attachments.${at}.url`)}>
            {(props) => (
              <input
                {...props}
                type="url"
                value={url}
                placeholder="https://"
                onChange={({ target }) => change(at, { url: target.value })}
                className={inputClass}
              />
            )}
          </Field>
          <Button
            look="quiet"
            className="min-h-10 justify-self-start sm:mt-7"
            aria-label={t('editor.remove', { what: name || t('editor.attachment') })}
            onClick={() =>
              set(
                'attachments',
                attachments.filter((_, i) => i !== at),
              )
            }
          >
            <Trash2 size={17} aria-hidden />
          </Button>
        </div>
      ))}
      <Button
        className="justify-self-start"
        onClick={() => set('attachments', [...attachments, { name: '', url: '' }])}
      >
        <Plus size={16} aria-hidden />
        {t('editor.addAttachment')}
      </Button>
    </section>
  );
}
