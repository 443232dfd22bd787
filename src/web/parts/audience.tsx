import type { Foresight } from '../api/types.ts';
import { t, word } from '../texts/texts.ts';

type Audience = Foresight['audience'];
type Channel = keyof Audience;

/** Most people have no browser that takes push messages: where it is only that, there is nothing to say. */
const isUnremarkable = (channel: Channel, { told, skipped }: NonNullable<Audience[Channel]>): boolean =>
  told === 0 && channel === 'push' && Object.keys(skipped).every((reason) => reason === 'no_contact');

/** Who would be told, over which channels, and who would not and why: `Email: 38 of 40. 2 have no address`. */
export function AudienceTold({ audience, people, nobody }: { audience: Audience; people: number; nobody: string }) {
  const channels = (Object.keys(audience) as Channel[]).flatMap((channel) => {
    const counted = audience[channel];
    return counted && !isUnremarkable(channel, counted) ? [{ channel, ...counted }] : [];
  });
  return (
    <div className="grid gap-2">
      <p className="text-base">{people > 0 ? t('audience.tells', { people }) : nobody}</p>
      {channels.length > 0 && (
        <ul className="grid gap-1 text-sm text-soft">
          {channels.map(({ channel, told, skipped }) => (
            <li key={channel}>
              <span className="font-medium text-ink">
                {t('audience.channel', { channel: word('channel', channel) })}
              </span>{' '}
              {shareWords(channel, told, skipped)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `38 of 40: 2 have no email` */
export function shareWords(channel: string, told: number, skipped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(skipped);
  const all = reasons.reduce((sum, [, count]) => sum + count, told);
  if (all === told) return String(told);
  const why = reasons.map(([reason, count]) =>
    reason === 'no_contact'
      ? t(channel === 'email' ? 'audience.noEmail' : channel === 'sms' ? 'audience.noPhone' : 'audience.noReach', {
          count,
        })
      : t('audience.skipped', { count, reason: word('reason', reason) }),
  );
  return t('audience.share', { told, all, why: why.join(', ') });
}
