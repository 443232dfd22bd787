import type { ReactNode } from 'react';
import { AudiencePreview } from '../dry-run/audience.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { t } from '../texts/texts.ts';

export type Preview = Parameters<typeof AudiencePreview>[0]['dryRun'] & { sms_segments: number };

type Props<P extends Preview> = {
  query: { data: P | undefined; error: unknown; refetch: () => unknown };
  isForNoOne: boolean;
  children?: (preview: P) => ReactNode;
};

/** Who will get a message, and how many paid SMS it takes. */
export const MessagePreview = <P extends Preview>({ query, isForNoOne, children }: Props<P>) => (
  <div aria-live="polite" className="rounded-lg bg-paper p-3">
    {isForNoOne ? (
      <p className="text-soft">{t('message.noOne')}</p>
    ) : (
      <Loaded query={query} lines={1}>
        {(preview) => (
          <>
            <AudiencePreview dryRun={preview} none={t('message.noOne')} />
            {children?.(preview)}
            {preview.sms_segments > 0 && (
              <p className="mt-1 text-sm text-soft">{t('message.segments', { count: preview.sms_segments })}</p>
            )}
          </>
        )}
      </Loaded>
    )}
  </div>
);
