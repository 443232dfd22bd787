import { useNavigate } from '@tanstack/react-router';
import { useSelector } from '@tanstack/react-store';
import { Check, Eye, Languages, LogOut, Settings } from 'lucide-react';
import { useMay, useMe } from '../api/queries.ts';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { viewedAs } from '../session/stored.ts';
import { LANGUAGE_TAGS, LANGUAGES } from '../texts/languages.ts';
import { chooseLanguage, language, t } from '../texts/texts.ts';
import { askViewAs } from '../view-as/host.tsx';
import { chooseTheme, THEME_ICONS, THEMES, themeStore } from './theme.ts';

/** Settings, themes, languages and sign-out of this device. */
export function useAccountItems(): MenuItem[] {
  const navigate = useNavigate();
  const theme = useSelector(themeStore);
  const mayViewAs = useMay('view_as');
  const settings = { label: t('nav.settings'), icon: Settings, onSelect: () => navigate({ to: '/settings' }) };
  return [
    ...(viewedAs() === null ? [settings] : []),
    ...THEMES.map((one) => ({
      label: t(`theme.${one}`),
      icon: THEME_ICONS[one],
      hint: one === theme ? t('account.chosen') : undefined,
      onSelect: () => chooseTheme(one),
    })),
    ...LANGUAGE_TAGS.map((one) => ({
      label: LANGUAGES[one],
      icon: one === language() ? Check : Languages,
      hint: one === language() ? t('account.chosen') : undefined,
      onSelect: () => chooseLanguage(one),
    })),
    ...(mayViewAs ? [{ label: t('viewAs.menu'), icon: Eye, onSelect: askViewAs }] : []),
    {
      label: t('account.signOut'),
      icon: LogOut,
      onSelect: () => void import('../session/provider.ts').then(({ signOut }) => signOut()),
    },
  ];
}

/** The signed-in user, with the menu of the account. */
export function AccountMenu() {
  const me = useMe();
  const items = useAccountItems();
  const name = me?.name ?? me?.user_id ?? '';
  const initials = name
    .split(/[\s-]+/)
    .map((part) => part.slice(0, 1).toUpperCase())
    .slice(0, 2)
    .join('');
  return (
    <Menu
      label={t('account.label')}
      items={items}
      trigger={
        <button
          type="button"
          // Speech control finds it by the initials that it shows.
          aria-label={`${t('account.label')}: ${name} ${initials}`}
          className="grid size-9 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-text hover:brightness-95 max-sm:size-[44px]"
        >
          {initials || '·'}
        </button>
      }
    />
  );
}
