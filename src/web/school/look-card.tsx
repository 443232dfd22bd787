import { PictureField } from '../files/picture-field.tsx';
import { Select, TextField, ZoneSelect } from '../parts/forms/field.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { Section } from '../parts/page.tsx';
import { LANGUAGE_TAGS, LANGUAGES } from '../texts/languages.ts';
import { t } from '../texts/texts.ts';
import type { Part } from './page.tsx';

/** Shown first when a school turns on a color of its own. */
const FIRST_COLOR = '#17594f';

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
          options={LANGUAGE_TAGS.map((value) => ({ value, label: LANGUAGES[value] }))}
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
          checked={color !== null}
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
