import { BellOff, Mail } from 'lucide-react';
import type { Foresight } from '../api/types.ts';
import { language, t, word } from '../texts/texts.ts';

/** Whom an action would tell, before it is done: how many, on which channels, and who would not be told and why. */
export function Told({ foresight }: { foresight: Foresight }) {
  const { audience, people, promotions, changed_events } = foresight;
  const channels = Object.entries(audience).filter(([, counted]) => (counted?.told ?? 0) > 0);
  const skipped = new Map<string, number>();
  for (const counted of Object.values(audience))
    for (const [reason, count] of Object.entries(counted?.skipped ?? {}))
      skipped.set(reason, Math.max(skipped.get(reason) ?? 0, count));
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  return (
    <div className="grid gap-2 rounded-xl bg-paper p-3">
      <p className="flex items-start gap-2 font-medium">
        {people > 0 ? (
          <Mail size={18} aria-hidden className="mt-0.5 shrink-0 text-accent-text" />
        ) : (
          <BellOff size={18} aria-hidden className="mt-0.5 shrink-0 text-soft" />
        )}
        {people > 0 ? t('told.people', { people }) : t('told.nobody')}
      </p>
      {channels.length > 0 && (
        <p className="pl-6.5 text-sm text-soft">
          {list.format(channels.map(([channel, counted]) => `${word('channel', channel)} ${counted?.told}`))}
        </p>
      )}
      {skipped.size > 0 && (
        <p className="pl-6.5 text-sm text-soft">
          {t('told.skipped')}{' '}
          {list.format([...skipped].map(([reason, count]) => `${count} × ${word('reason', reason)}`))}
        </p>
      )}
      {promotions > 0 && <p className="pl-6.5 text-sm text-soft">{t('told.promotions', { promotions })}</p>}
      {changed_events > 1 && <p className="pl-6.5 text-sm text-soft">{t('told.events', { count: changed_events })}</p>}
    </div>
  );
}
