import { CircleCheck, Clock, Hourglass, Repeat, Star } from 'lucide-react';
import { meQuery, queryClient } from '../../api/queries.ts';
import type { Entry } from '../../api/types.ts';
import { registeredTexts, toneOf } from '../../event-parts/badge.tsx';
import { EventLink } from '../../event-parts/event-link.tsx';
import { Icon } from '../../event-parts/icon.tsx';
import { isUndecided, plainDay } from '../../texts/dates.ts';
import { t, word } from '../../texts/texts.ts';
import { cardHandlers } from '../card-anchor.ts';
import type { Placed } from '../placing.ts';
import { timeOn, timesOn } from '../times.ts';

/** height of a line in a tall entry, in pixels */
const LINE = 16;
const TWO_LINES = 2 * LINE + 4;

const LOOKS: Partial<Record<Entry['status'], string>> = {
  draft: 'border-dashed border-edge',
  cancelled: 'line-through',
};

type Props = { placed: Placed; tall?: number; day: string; tabIndex?: number };

const titleOf = ({ title, full_title }: Entry): string => full_title ?? title;

/** The accessible name: title and time in the order in which they are seen, then what only marks show. */
function nameOf(placed: Placed, day: string, isTimeFirst: boolean, registered: ReturnType<typeof registeredTexts>) {
  const { entry } = placed;
  const seen = [titleOf(entry), timeOn(placed, day) ?? timesOn(placed, day)];
  const name = [
    ...(isTimeFirst ? seen.reverse() : seen),
    plainDay(day),
    word('type', entry.event_type),
    word('status', entry.status),
    entry.recurring && t('calendar.recurring'),
    entry.featured && t('calendar.featured'),
    ...registered.map(({ text }) => text),
  ];
  return name.filter(Boolean).join(', ');
}

/**
 * An event on the calendar: a link whose card opens on hover and focus.
 * @param day the day that it lies on, or begins on in a month
 * @param tall height on a time grid, in pixels; enough of it gives title and time a line each
 */
export function EntryLink({ placed, tall: height, day, tabIndex }: Props) {
  const { entry } = placed;
  // Without a subscription, since the page renders again once the user is loaded.
  const registered = registeredTexts(entry, queryClient.getQueryData(meQuery.queryKey));
  const isConfirmed = registered.some(({ status }) => status === 'confirmed');
  const RegisteredMark = isConfirmed ? CircleCheck : Hourglass;
  // Too low for two lines: one line, as in a month.
  const tall = height !== undefined && height >= TWO_LINES ? height : undefined;
  // A narrow entry has room for the title and the time only.
  const more = tall ? 'contents @max-[6.5rem]:hidden' : 'contents max-lg:hidden';
  const card = cardHandlers(entry.id);
  const time = timeOn(placed, day);
  return (
    <EventLink
      id={entry.id}
      data-color={toneOf(entry.color)}
      data-entry={entry.id}
      aria-label={nameOf(placed, day, !tall && time !== null, registered)}
      draggable={false}
      tabIndex={tabIndex}
      {...card}
      className={`flex w-full min-w-0 gap-1.5 overflow-hidden rounded-md border border-transparent bg-(--tone-soft) px-1.5 text-left text-xs leading-6 text-(--tone-text) shadow-[inset_3px_0_0_var(--tone-mark)] hover:brightness-95 dark:hover:brightness-110 ${tall ? '@container h-full flex-col pt-0.5 leading-4!' : `${height === undefined ? 'h-6' : 'h-full'} items-center`} ${LOOKS[isUndecided(entry) ? 'cancelled' : entry.status] ?? ''}`}
    >
      {tall && (
        <span
          className="line-clamp-1 shrink-0 pl-1 font-medium wrap-break-word"
          style={{ WebkitLineClamp: Math.max(1, Math.floor((tall - LINE - 4) / LINE)) }}
        >
          {titleOf(entry)}
        </span>
      )}
      <span className="flex min-w-0 items-center gap-1.5 pl-1">
        <span className={more}>
          <Icon name={entry.icon} size={12} />
        </span>
        {time && <span className="shrink-0 tabular-nums">{` ${time} `}</span>}
        {!tall && <span className="truncate font-medium">{titleOf(entry)}</span>}
        <span className={more}>
          {registered.length > 0 && <RegisteredMark size={12} className="shrink-0" />}
          {entry.status === 'postponed' && <Clock size={11} className="shrink-0" />}
          {entry.recurring && <Repeat size={11} className="shrink-0" />}
          {entry.featured && <Star size={11} className="shrink-0 fill-current" />}
        </span>
      </span>
    </EventLink>
  );
}
