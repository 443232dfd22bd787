import { Copy, Rss } from 'lucide-react';
import { useRef } from 'react';
import { Button, buttonClass } from '../parts/button.tsx';
import { inputClass } from '../parts/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';

/** The link for subscribing to the school's calendar. */
export function Feed({ school }: { school: string }) {
  const ref = useRef<HTMLInputElement>(null);
  const address = `${window.location.origin}/api/v1/public/schools/${encodeURIComponent(school)}/calendar.ics`;
  const copy = async () => {
    ref.current?.select();
    await navigator.clipboard.writeText(address).then(
      () => showNotice(t('actions.copied')),
      () => {},
    );
  };
  return (
    <section aria-labelledby="feed" className="grid gap-2.5 rounded-card border border-line bg-card p-4">
      <h2 id="feed" className="flex items-center gap-2 font-semibold">
        <Rss size={17} aria-hidden className="text-soft" />
        {t('public.feed')}
      </h2>
      <p className="text-sm text-soft">{t('public.feedHint')}</p>
      <input ref={ref} readOnly aria-label={t('public.address')} value={address} className={`${inputClass} text-sm`} />
      <div className="flex flex-wrap gap-2">
        <a href={address.replace(/^https?:/, 'webcal:')} className={buttonClass('main')}>
          {t('public.subscribe')}
        </a>
        <Button onClick={() => void copy()}>
          <Copy size={16} aria-hidden />
          {t('public.copy')}
        </Button>
      </div>
    </section>
  );
}
