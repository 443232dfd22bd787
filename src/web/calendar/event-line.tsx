import type { ComponentProps } from 'react';
import { toneOf } from '../event-parts/badge.tsx';
import { EventLink } from '../event-parts/event-link.tsx';
import { EventRow, rowClass } from '../event-parts/event-row.tsx';
import { cardHandlers } from './card-anchor.ts';

type Props = ComponentProps<typeof EventRow> & { id: string; color: Parameters<typeof toneOf>[0] };

/** One event in a list: a link with its details, which opens its card. */
export const EventLine = ({ id, color, ...row }: Props) => (
  <li>
    <EventLink
      id={id}
      data-entry={id}
      {...cardHandlers(id, true)}
      data-color={toneOf(color)}
      className={`${rowClass} grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_auto]`}
    >
      <EventRow {...row} />
    </EventLink>
  </li>
);
