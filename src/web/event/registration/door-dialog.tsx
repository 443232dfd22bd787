import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { ApiError, errorText } from '../../api/problem.ts';
import { getQuery } from '../../api/queries.ts';
import { serverNow } from '../../api/server-clock.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { copyText } from '../../parts/copy-text.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/page.tsx';
import { clockTimeIn, momentIn } from '../../texts/dates.ts';
import { t } from '../../texts/texts.ts';
import { Attendance } from './attendance.tsx';

/** A timer of a browser waits 24 days at most, and check-in may open later. */
const MAX_WAIT_MS = 60 * 60_000;

/** The code of now; fetched again when it changes, and when check-in opens. */
const codeQuery = (id: string) =>
  getQuery(
    ['door', id],
    '/api/v1/operations/events/{id}/check_in',
    { path: { id } },
    {
      refetchInterval: ({ state: { data, error } }) => {
        const next = data?.changes_at ?? opensAtOf(error);
        return next !== null && Math.min(MAX_WAIT_MS, Math.max(1_000, Date.parse(next) - serverNow() + 500));
      },
      gcTime: 0,
      retry: false,
    },
  );

/** Shows the code for the door in large digits, and how many people are checked in. */
export default function DoorDialog({ event, onClose }: { event: SchoolEvent; onClose: () => void }) {
  const { id, timezone } = event;
  const query = useQuery(codeQuery(id));
  const opensAt = opensAtOf(query.error);
  return (
    <Dialog title={`${t('door.title')}: ${event.title}`} onClose={onClose}>
      <div className="grid justify-items-center gap-3 text-center">
        {query.error ? (
          <p role="alert">
            {opensAt ? t('door.opens', { when: momentIn(opensAt, timezone) }) : errorText(query.error)}
          </p>
        ) : (
          <Loaded query={query}>
            {({ code, url, changes_at }) => (
              <>
                <output
                  aria-label={t('door.show')}
                  className="text-5xl font-bold tracking-widest tabular-nums sm:text-6xl"
                >
                  {code}
                </output>
                <p className="text-soft">{t('door.hint', { time: clockTimeIn(changes_at, timezone) })}</p>
                <Button onClick={() => void copyText(url)} icon={Copy}>
                  {t('door.copy')}
                </Button>
              </>
            )}
          </Loaded>
        )}
        <Attendance id={id} />
      </div>
    </Dialog>
  );
}

const opensAtOf = (error: unknown): string | null => {
  if (!(error instanceof ApiError) || error.code !== 'check_in_not_open') return null;
  return (error.problem as { opens_at?: string }).opens_at ?? null;
};
