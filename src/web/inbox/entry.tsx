import { Link } from '@tanstack/react-router';
import {
  Archive,
  ArchiveRestore,
  Ban,
  BellRing,
  CalendarCheck,
  CalendarClock,
  CalendarPlus,
  Check,
  Hourglass,
  Mail,
  Megaphone,
  Pencil,
  Play,
} from 'lucide-react';
import { Confirm } from '../acknowledgements/ask.tsx';
import type { InboxEntry } from '../api/types.ts';
import { IconButton } from '../parts/button.tsx';
import { LinkedText } from '../parts/linked-text.tsx';
import { viewedAs } from '../session/stored.ts';
import { clockTimeIn, ownZone } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

const LOOKS: Partial<Record<InboxEntry['trigger'], { icon: typeof Mail; look: string }>> = {
  'event.published': { icon: CalendarPlus, look: 'bg-accent-soft text-accent-text' },
  'event.cancelled': { icon: Ban, look: 'bg-bad-soft text-bad' },
  'event.postponed': { icon: CalendarClock, look: 'bg-warn-soft text-warn' },
  'event.changed': { icon: Pencil, look: 'bg-warn-soft text-warn' },
  'event.unpublished': { icon: Pencil, look: 'bg-warn-soft text-warn' },
  'event.starting': { icon: Play, look: 'bg-good-soft text-good' },
  'registration.pending': { icon: Hourglass, look: 'bg-accent-soft text-accent-text' },
  'registration.waitlisted': { icon: Hourglass, look: 'bg-accent-soft text-accent-text' },
  'registration.declined': { icon: Ban, look: 'bg-bad-soft text-bad' },
  'registration.refused': { icon: Ban, look: 'bg-bad-soft text-bad' },
  'registration.cancelled': { icon: Ban, look: 'bg-bad-soft text-bad' },
  'registration.confirmed': { icon: CalendarCheck, look: 'bg-good-soft text-good' },
  'message.school': { icon: Megaphone, look: 'bg-accent-soft text-accent-text' },
  'message.urgent': { icon: Megaphone, look: 'bg-bad-soft text-bad' },
  'acknowledgement.due': { icon: BellRing, look: 'bg-warn-soft text-warn' },
  'reminder.due': { icon: BellRing, look: 'bg-accent-soft text-accent-text' },
};
const PLAIN = { icon: Mail, look: 'bg-hover text-ink' };

type Props = { entry: InboxEntry; onRead: () => void; onMove: () => void };

/**
 * A message: links to its event, if it has one, with buttons to mark it, and to move it to the archive or back, unless
 * someone else views it.
 */
export function Entry({ entry, onRead, onMove }: Props) {
  const readsOnly = viewedAs() !== null;
  const { icon: Picture, look: colors } = LOOKS[entry.trigger] ?? PLAIN;
  const isUnread = entry.read_at === null;
  const isArchived = entry.archived_at !== null;
  const page = new URL(entry.url).pathname;
  // A message of the school has no page: the entry is the whole message.
  const isOfSchool = page === '/inbox';
  const look = `min-w-0 break-words ${isUnread ? 'font-semibold' : 'font-medium'} ${entry.superseded ? 'text-soft' : ''}`;
  const time = clockTimeIn(entry.created_at, ownZone());
  return (
    <li
      data-unread={isUnread || undefined}
      className="group relative flex flex-wrap gap-3 px-3 py-3 hover:bg-hover has-[a:focus-visible]:bg-hover sm:px-4"
    >
      <span className={`mt-0.5 grid size-9 shrink-0 place-items-center rounded-full ${colors}`}>
        <Picture size={17} />
      </span>
      <div className="min-w-[min(9rem,100%)] flex-1">
        <p className="flex items-baseline gap-2">
          {isUnread && (
            <span className="size-2 shrink-0 -translate-y-px rounded-full bg-accent">
              <span className="sr-only">{t('inbox.unreadMark')}</span>
            </span>
          )}
          {isOfSchool ? (
            <span lang={entry.locale} className={look}>
              {entry.title}
            </span>
          ) : (
            <Link
              to={page}
              lang={entry.locale}
              onClick={() => isUnread && !readsOnly && onRead()}
              className={`after:absolute after:inset-0 ${look}`}
            >
              {entry.title}
            </Link>
          )}
        </p>
        {entry.superseded && (
          <p className="mt-0.5 text-sm text-warn">{t(isOfSchool ? 'inbox.withdrawn' : 'inbox.superseded')}</p>
        )}
        {entry.body && (
          <p lang={entry.locale} className="mt-0.5 max-w-[70ch] break-words whitespace-pre-line text-soft">
            <LinkedText text={entry.body} />
          </p>
        )}
        {entry.acknowledgement && (
          <div className="relative mt-1.5">
            <Confirm event_id={entry.event_id} state={entry.acknowledgement} />
          </div>
        )}
        <p className="mt-1 text-sm text-soft">
          <time dateTime={entry.created_at}>{time}</time>
          <span aria-hidden> · </span>
          {word('trigger', entry.trigger)}
        </p>
      </div>
      <div hidden={readsOnly} className="relative flex shrink-0 items-start gap-0.5 max-sm:flex-col">
        {isUnread && !isArchived && (
          <IconButton label={t('inbox.markRead')} of={entry.title} onClick={onRead} icon={Check} />
        )}
        <IconButton
          label={t(isArchived ? 'inbox.unarchive' : 'inbox.archive')}
          of={entry.title}
          // The second click of a double click would move the next message.
          onClick={({ detail }) => detail < 2 && onMove()}
          icon={isArchived ? ArchiveRestore : Archive}
        />
      </div>
    </li>
  );
}
