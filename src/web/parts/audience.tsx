import type { Foresight } from '../api/types.ts';
import { language, t, word } from '../texts/texts.ts';

type Audience = Foresight['audience'];
type Channel = keyof Audience;

const joined = (parts: readonly string[]): string =>
  new Intl.ListFormat(language(), { type: 'conjunction' }).format(parts);

/** `42 people by email and 3 by SMS`; null where nobody would be told. */
export function toldWords(audience: Audience): string | null {
  const parts = (Object.keys(audience) as Channel[])
    .map((channel) => ({ channel, told: audience[channel]?.told ?? 0 }))
    .filter(({ told }) => told > 0)
    .map(({ channel, told }, at) =>
      t(at === 0 ? 'audience.first' : 'audience.next', { told, channel: word('by', channel) }),
    );
  return parts.length === 0 ? null : joined(parts);
}

/** Who would be told by an operation, over which channels, and who would not and why. */
export function AudienceTold({ audience, nobody }: { audience: Audience; nobody: string }) {
  const words = toldWords(audience);
  const skipped = new Map<string, number>();
  for (const counted of Object.values(audience))
    for (const [reason, count] of Object.entries(counted?.skipped ?? {}))
      skipped.set(reason, Math.max(skipped.get(reason) ?? 0, count));
  return (
    <div className="grid gap-2">
      <p className="text-base">{words ? t('audience.tells', { words }) : nobody}</p>
      {skipped.size > 0 && (
        <ul className="grid gap-0.5 text-sm text-soft">
          {[...skipped].map(([reason, count]) => (
            <li key={reason}>{t('audience.skipped', { count, reason: word('reason', reason) })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
