import { Lock, Plus } from 'lucide-react';
import { PictureField } from '../files/picture-field.tsx';
import { Button } from '../parts/button.tsx';
import { ChannelTable } from '../parts/forms/channel-table.tsx';
import { CheckCell } from '../parts/forms/check-cell.tsx';
import { Select, TextField, ZoneSelect } from '../parts/forms/field.tsx';
import { changed, RemoveButton } from '../parts/forms/list-parts.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { Switch } from '../parts/forms/switch.tsx';
import { Section } from '../parts/page.tsx';
import { LANGUAGE_OPTIONS } from '../texts/languages.ts';
import { t, word } from '../texts/texts.ts';
import type { School, SchoolBody } from './data.ts';

/** Shown first when a school turns on a color of its own. */
const FIRST_COLOR = '#17594f';

/** A part of the form: the settings, how to change some of them, and the fault of a field by its JSON pointer. */
export type Part = {
  body: SchoolBody;
  change: (some: Partial<SchoolBody>) => void;
  faultOf: (pointer: string) => string | undefined;
};

/** Names, color, logo, language and time zone. */
export function LookCard({ body, change, faultOf }: Part) {
  const { color = null } = body;
  const field = (name: 'name' | 'sender_name' | 'timezone' | 'logo_url') => ({
    value: body[name] ?? '',
    fault: faultOf(`/${name}`),
    onChange: (text: string) => change({ [name]: text || (name === 'name' ? '' : null) }),
  });
  return (
    <Section title={t('school.look')} text={t('school.look.text')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('school.name')} {...field('name')} />
        <TextField label={t('school.sender')} hint={t('school.sender.hint')} {...field('sender_name')} />
        <Select
          label={t('school.language')}
          hint={t('school.language.hint')}
          value={body.locale}
          options={LANGUAGE_OPTIONS}
          onChange={(locale) => change({ locale })}
        />
        <ZoneSelect label={t('form.timezone')} {...field('timezone')} />
        <div className="sm:col-span-2">
          <PictureField
            upload={t('school.uploadLogo')}
            use="logo"
            label={t('school.logo.shown')}
            link={t('school.logo')}
            className="h-10 max-w-60 object-contain object-left"
            hint={t('school.logo.hint')}
            {...field('logo_url')}
          />
        </div>
        <Switch
          label={t('school.ownColor')}
          hint={t('school.color.hint')}
          value={color !== null}
          onChange={(isOwn) => change({ color: isOwn ? FIRST_COLOR : null })}
        />
        {color !== null && (
          <TextField
            type="color"
            label={t('school.color')}
            value={color}
            fault={faultOf('/color')}
            onChange={(chosen) => change({ color: chosen })}
            className="h-11 max-w-24 cursor-pointer p-1"
          />
        )}
      </div>
    </Section>
  );
}

/** Shown first when a school turns on quiet hours. */
const USUAL_HOURS = { from: '21:00', to: '07:00' };

/** The hours in which messages that can wait are held back, unless a person chose their own. */
export function QuietCard({ body, change, faultOf }: Part) {
  const { quiet_hours: hours = null } = body;
  const chosen = hours ?? USUAL_HOURS;
  const part = partsOf('/quiet_hours/', chosen, (more) => change({ quiet_hours: { ...chosen, ...more } }), faultOf);
  return (
    <Section title={t('quiet.title')} text={t('school.quiet.text')} spaced>
      <Switch
        label={t('school.quiet')}
        hint={t('school.quiet.hint')}
        value={hours !== null}
        onChange={(isOn) => change({ quiet_hours: isOn ? USUAL_HOURS : null })}
      />
      {hours && (
        <div className="grid max-w-72 grid-cols-2 gap-3">
          {(['from', 'to'] as const).map((end) => (
            <TextField key={end} type="time" label={t(`quiet.${end}`)} {...part(end)} />
          ))}
        </div>
      )}
    </Section>
  );
}

/** The days on which messages that can wait are held back. */
export function HolidaysCard({ body, change, faultOf }: Part) {
  const holidays = body.term_calendar ?? [];
  const put = (term_calendar: typeof holidays) => change({ term_calendar });
  const add = () => put([...holidays, { name: '', start_date: '', end_date: '' }]);
  return (
    <Section title={t('school.holidays')} text={t('school.holidays.text')}>
      <ul className="grid gap-3">
        {holidays.map((holiday, at) => {
          const part = partsOf(`/term_calendar/${at}/`, holiday, (more) => put(changed(holidays, at, more)), faultOf);
          return (
            // Holidays have no id; each field shows its value, so its place may serve as the key.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={at} className="grid items-start gap-3 sm:grid-cols-[minmax(0,2fr)_1fr_1fr_auto]">
              <TextField label={t('school.holiday')} autoFocus={holiday.name === ''} {...part('name')} />
              <TextField label={t('school.firstDay')} type="date" {...part('start_date')} />
              <TextField label={t('school.lastDay')} type="date" {...part('end_date')} />
              <RemoveButton
                className="sm:mt-7"
                what={holiday.name || t('school.holiday')}
                onClick={() => put(changed(holidays, at, null))}
              />
            </li>
          );
        })}
      </ul>
      <Button className="mt-3" onClick={add} icon={Plus}>
        {t('school.addHoliday')}
      </Button>
    </Section>
  );
}

type Kind = School['messages'][number];
type Channel = Kind['channels'][number];

/** Which messages the school sends, and on which channels. */
export function ChannelsCard({ school, body, change }: Part & { school: School }) {
  const chosenOf = ({ trigger, channels }: Kind): readonly Channel[] => body.channels?.[trigger] ?? channels;
  /** A message that is sent at all is sent on its mandatory channels too. */
  const choose = (kind: Kind, channel: Channel, isOn: boolean) => {
    const others = chosenOf(kind).filter((one) => one !== channel);
    const left = kind.mandatory.includes(channel) ? [] : others;
    const channels = isOn ? [...new Set([...others, channel, ...kind.mandatory])] : left;
    change({ channels: { ...body.channels, [kind.trigger]: channels } });
  };
  return (
    <Section title={t('nav.messages')} text={t('school.messages.text')}>
      <ChannelTable
        caption={t('nav.messages')}
        channels={school.available_channels}
        rows={school.messages.map((kind) => ({ ...kind, name: word('trigger', kind.trigger) }))}
        cell={(kind, channel, label) =>
          kind.mandatory.includes(channel) && !kind.may_switch_off ? (
            <span className="inline-grid size-9 place-items-center text-accent-text">
              <Lock size={15} />
              <span className="sr-only">{t('settings.always')}</span>
            </span>
          ) : (
            <CheckCell
              label={label}
              checked={chosenOf(kind).includes(channel)}
              onChange={(isOn) => choose(kind, channel, isOn)}
            />
          )
        }
      />
    </Section>
  );
}
