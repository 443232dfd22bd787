import { CalendarSync, Copy } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { Button, buttonClass } from './button.tsx';
import { inputClass } from './field.tsx';
import { showNotice } from './notices.tsx';

/** The link of a calendar feed, to copy or to open in a calendar app. */
export function FeedAddress({ address, label }: { address: string; label: string }) {
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => showNotice(t('actions.copied')),
      () => showNotice(t('feed.notCopied'), { bad: true }),
    );
  return (
    <>
      <input
        readOnly
        aria-label={label}
        value={address}
        onFocus={(event) => event.target.select()}
        className={`${inputClass} text-sm`}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy size={17} aria-hidden />
          {t('public.copy')}
        </Button>
        <a href={address.replace(/^https?:/, 'webcal:')} className={buttonClass()}>
          <CalendarSync size={17} aria-hidden />
          {t('public.subscribe')}
        </a>
      </div>
    </>
  );
}
