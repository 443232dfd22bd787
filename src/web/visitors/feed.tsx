import { Rss } from 'lucide-react';
import { FeedAddress } from '../parts/feed-address.tsx';
import { t } from '../texts/texts.ts';

/** The link for subscribing to the school's calendar. */
export function Feed({ school }: { school: string }) {
  const address = `${window.location.origin}/api/v1/public/schools/${encodeURIComponent(school)}/calendar.ics`;
  return (
    <section aria-labelledby="feed" className="grid gap-2.5 rounded-card border border-line bg-card p-4">
      <h2 id="feed" className="flex items-center gap-2 font-semibold">
        <Rss size={17} className="text-soft" />
        {t('public.feed')}
      </h2>
      <p className="text-sm text-soft">{t('public.feedHint')}</p>
      <FeedAddress address={address} label={t('public.address')} />
    </section>
  );
}
