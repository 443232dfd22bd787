import { BellOff, Mail } from 'lucide-react';
import type { Foresight } from '../api/types.ts';
import { language, t, word } from '../texts/texts.ts';

/** Whom an action would tell, before it is done: how many, on which channels, and who would not be told and why. */
export function Told({ foresight }: { foresight: Foresight }) {
  const { audience, people, promotions, changed_events } = foresight;
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  const channels = Object.entries(audience).map(([channel, counted]) => {
    const skipped = Object.entries(counted?.skipped ?? {}).map(
      ([reason, count]) => `${count} × ${word('reason', reason)}`,
    );
    return { channel, told: counted?.told ?? 0, skipped: list.format(skipped) };
  });
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
        <ul className="grid gap-0.5 pl-6.5 text-sm text-soft">
          {channels.map(({ channel, told, skipped }) => (
            <li key={channel}>
              <span className="text-ink">{word('channel', channel)}</span>{' '}
              <span className="tabular-nums">{t('told.count', { told })}</span>
              {skipped && ` (${t('told.skipped')} ${skipped})`}
            </li>
          ))}
        </ul>
      )}
      {promotions > 0 && <p className="pl-6.5 text-sm text-soft">{t('told.promotions', { promotions })}</p>}
      {changed_events > 1 && <p className="pl-6.5 text-sm text-soft">{t('told.events', { count: changed_events })}</p>}
    </div>
  );
}
