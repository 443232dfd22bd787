import { useMutation, useQuery } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { CalendarSync, RefreshCw, Trash2 } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { invalidate, meQuery } from '../api/queries.ts';
import { shortcutsAreOn, switchShortcuts } from '../app/shortcuts.ts';
import { chooseTheme, THEME_ICONS, THEMES, themeStore } from '../app/theme.ts';
import { AskButton } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { FeedAddress } from '../parts/feed-address.tsx';
import { Choice } from '../parts/forms/choice.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { TypedField } from '../parts/forms/search-box.tsx';
import { Switch } from '../parts/forms/switch.tsx';
import { showNotice } from '../parts/notices.tsx';
import { joined, Loaded, Page, PageHeader, Section } from '../parts/page.tsx';
import { clockTime, inZone, longDay, ownZone } from '../texts/dates.ts';
import { LANGUAGE_OPTIONS } from '../texts/languages.ts';
import { chooseLanguage, language, t } from '../texts/texts.ts';
import { Matrix } from './matrix.tsx';
import { PushCard } from './push-card.tsx';
import {
  type NewPreferences,
  type Preferences,
  preferencesQuery,
  type Settings,
  settingsQuery,
  useUpdatePreferences,
} from './queries.ts';

export default function SettingsPage() {
  const choices = useQuery(settingsQuery);
  const own = useQuery(preferencesQuery);
  const me = useQuery(meQuery);
  return (
    <Page title={t('nav.settings')}>
      <PageHeader title={t('nav.settings')} />
      <Loaded query={joined({ choices, own, me })}>
        {({ choices, own, me }) => (
          <div className="grid gap-4">
            <Section id="messages" title={t('settings.messages')} text={t('settings.messages.text')}>
              <Matrix messages={choices.messages} preferences={own} />
            </Section>
            <QuietCard school={choices.quiet_hours} preferences={own} />
            <PushCard publicKey={choices.push?.public_key ?? null} me={me} />
            <LookCard preferences={own} />
            {me.may.includes('view_events') && <FeedCard since={choices.feed_created_at} />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

type QuietHours = NonNullable<NewPreferences['quiet_hours']> | null;

/** The hours in which messages that can wait are held back. */
function QuietCard({ school, preferences }: { school: Settings['quiet_hours']; preferences: Preferences }) {
  const update = useUpdatePreferences();
  const now = (preferences.quiet_hours ?? null) as QuietHours;
  const put = (quiet_hours: QuietHours) => update.mutate((before) => ({ ...before, quiet_hours }));
  const kind = now === null ? 'school' : now === 'off' ? 'off' : 'own';
  const own = (now !== 'off' && now) || school || { from: '21:00', to: '07:00' };
  const part = partsOf('', own, (more) => put({ ...own, ...more }));
  return (
    <Section id="quiet" title={t('quiet.title')} text={t('quiet.text')} spaced>
      <Choice
        label={t('quiet.when')}
        value={kind}
        options={(['school', 'own', 'off'] as const).map((value) => ({ value, label: t(`quiet.${value}`) }))}
        onChange={(chosen) => put({ school: null, off: 'off' as const, own }[chosen])}
      />
      {kind === 'school' && (
        <p className="text-soft">
          {school
            ? t('quiet.schoolHours', { from: clockTime(school.from), to: clockTime(school.to) })
            : t('quiet.schoolNone')}
        </p>
      )}
      {kind === 'own' && (
        <div className="grid max-w-72 grid-cols-2 gap-3">
          {(['from', 'to'] as const).map((end) => (
            <TypedField key={end} type="time" required label={t(`quiet.${end}`)} {...part(end)} />
          ))}
        </div>
      )}
    </Section>
  );
}

/** Language of messages, and the settings of this device. */
function LookCard({ preferences }: { preferences: Preferences }) {
  const theme = useSelector(themeStore);
  const update = useUpdatePreferences();
  return (
    <Section title={t('look.title')} spaced>
      <Choice
        label={t('look.messages')}
        value={preferences.locale ?? 'school'}
        options={[{ value: 'school', label: t('quiet.school') }, ...LANGUAGE_OPTIONS]}
        onChange={(locale) => update.mutate((before) => ({ ...before, locale: locale === 'school' ? null : locale }))}
      />
      <Choice label={t('look.page')} value={language()} options={LANGUAGE_OPTIONS} onChange={chooseLanguage} />
      <Choice
        label={t('look.theme')}
        value={theme}
        options={THEMES.map((one) => ({ value: one, label: t(`theme.${one}`), icon: THEME_ICONS[one] }))}
        onChange={chooseTheme}
      />
      <Switch
        label={t('look.shortcuts')}
        hint={t('look.shortcuts.text')}
        value={useSelector(shortcutsAreOn)}
        onChange={switchShortcuts}
      />
    </Section>
  );
}

/** The secret link to the user's calendar feed: shown once, can be replaced and removed. */
function FeedCard({ since }: { since: string | null }) {
  const reload = () => invalidate(settingsQuery.queryKey);
  const creation = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/me/feed')),
    // The question about a new link shows its own error.
    meta: { showsError: since !== null },
    onSettled: reload,
  });
  const address = creation.data?.url;
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/me/feed'));
    creation.reset();
    showNotice(t('feed.revoked'));
    await reload();
  };
  return (
    <Section id="feed" title={t('feed.title')} text={t('feed.text')}>
      {address ? (
        <div className="mb-3 grid gap-2 rounded-lg bg-good-soft p-4">
          <p className="font-medium text-good">{t('feed.once')}</p>
          <FeedAddress autoFocus address={address} label={t('feed.once')} />
        </div>
      ) : since ? (
        <p className="mb-3">{t('feed.since', { day: longDay(inZone(since, ownZone()).day) })}</p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {since === null ? (
          <Button look="main" busy={creation.isPending} onClick={() => creation.mutate()} icon={CalendarSync}>
            {t('feed.make')}
          </Button>
        ) : (
          <>
            <AskButton
              icon={RefreshCw}
              label={t('feed.renew')}
              title={t('feed.renew.ask')}
              run={() => creation.mutateAsync()}
            >
              {t('feed.renew.text')}
            </AskButton>
            <AskButton look="danger" icon={Trash2} label={t('feed.revoke')} title={t('feed.revoke.ask')} run={remove}>
              {t('feed.revoke.text')}
            </AskButton>
          </>
        )}
      </div>
    </Section>
  );
}
