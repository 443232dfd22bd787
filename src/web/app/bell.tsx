import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { unreadQuery } from '../api/queries.ts';
import { t } from '../texts/texts.ts';

const MAX_SHOWN = 99;

/** Links to the inbox and shows the number of unread messages, highlighted while some are new. */
export function Bell() {
  const { data: { unread_count: unread, unseen_count: unseen } = { unread_count: 0, unseen_count: 0 } } =
    useQuery(unreadQuery);
  return (
    <Link
      to="/inbox"
      aria-label={unread > 0 ? t('inbox.bell', { count: unread }) : t('nav.inbox')}
      className="relative grid size-9 place-items-center rounded-lg text-ink hover:bg-hover"
      activeProps={{ className: 'bg-accent-soft text-accent-text' }}
    >
      <BellIcon size={19} />
      {unread > 0 && (
        <span
          aria-hidden
          data-new={unseen > 0 || undefined}
          className="absolute -top-0.5 -right-1 min-w-5 rounded-full border-2 border-card bg-hover px-1 text-center text-[0.6875rem] leading-4 font-semibold text-ink tabular-nums data-new:bg-accent data-new:text-accent-ink"
        >
          {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        </span>
      )}
    </Link>
  );
}
