import { type QueryKey, useQuery } from '@tanstack/react-query';
import { AudiencePreview } from '../dry-run/audience.tsx';
import { Loaded } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

/** `addressed`: how many people a message to the school is for, including those whom no channel reaches. */
type Preview = Parameters<typeof AudiencePreview>[0]['dryRun'] & { sms_segments: number; addressed?: number };

/** Counts who would get a message, unless it has no channel. @param dryRun sends its dry run */
export const useMessagePreview = <B extends { channels: readonly string[] }>(
  about: QueryKey,
  body: B,
  dryRun: (body: B, signal: AbortSignal) => Promise<unknown>,
) =>
  useQuery({
    queryKey: ['dry-run', ...about, body],
    queryFn: ({ signal }) => dryRun(body, signal) as Promise<Preview>,
    enabled: body.channels.length > 0,
  });

/** Who will get a message, and how many paid SMS it takes. */
export const MessagePreview = ({ query }: { query: ReturnType<typeof useMessagePreview> }) => (
  <div aria-live="polite">
    {query.isEnabled ? (
      <Loaded query={query}>
        {({ sms_segments: count, addressed = 0, ...preview }) => (
          <AudiencePreview dryRun={preview} none={t('message.noOne')}>
            {preview.people < addressed && <p>{t('schoolMessage.addressed', { people: preview.people, addressed })}</p>}
            {count > 0 && <p>{t('message.segments', { count })}</p>}
          </AudiencePreview>
        )}
      </Loaded>
    ) : (
      <p className="text-soft">{t('message.noOne')}</p>
    )}
  </div>
);
