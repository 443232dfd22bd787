import { useState } from 'react';
import { shortcutsAreOn, switchShortcuts } from '../app/shortcuts.ts';
import { chooseTheme, THEME_ICONS, THEMES, themeStore } from '../app/theme.ts';
import { Choice } from '../parts/forms/choice.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { Section } from '../parts/page.tsx';
import { useStore } from '../parts/store.ts';
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../texts/languages.ts';
import { chooseLanguage, language, t } from '../texts/texts.ts';
import { type Preferences, type Settings, useUpdatePreferences } from './queries.ts';

/** Language of messages, and the settings of this device. */
export function LookCard({ locales, preferences }: { locales: Settings['locales']; preferences: Preferences }) {
  const theme = useStore(themeStore);
  const update = useUpdatePreferences();
  const [shortcuts, setShortcuts] = useState(shortcutsAreOn);
  const nameOf = (locale: string) => LANGUAGES[locale as Language] ?? locale;
  return (
    <Section title={t('look.title')}>
      <div className="grid gap-5">
        <Choice
          label={t('look.messages')}
          value={preferences.locale ?? 'school'}
          options={[
            { value: 'school', label: t('quiet.school') },
            ...locales.map((one) => ({ value: one, label: nameOf(one) })),
          ]}
          onChange={(chosen) => {
            const locale = locales.find((one) => one === chosen) ?? null;
            update.mutate((before) => ({ ...before, locale }));
          }}
        />
        <Choice
          label={t('look.page')}
          value={language()}
          options={LANGUAGE_TAGS.map((one) => ({ value: one, label: LANGUAGES[one] }))}
          onChange={chooseLanguage}
        />
        <Choice
          label={t('look.theme')}
          value={theme}
          options={THEMES.map((one) => ({ value: one, label: t(`theme.${one}`), icon: THEME_ICONS[one] }))}
          onChange={chooseTheme}
        />
        <Switch
          label={t('look.shortcuts')}
          hint={t('look.shortcuts.text')}
          checked={shortcuts}
          onChange={(on) => {
            switchShortcuts(on);
            setShortcuts(on);
          }}
        />
      </div>
    </Section>
  );
}
