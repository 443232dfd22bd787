import type { SchoolEvent } from '../api/types.ts';
import { language, t } from '../texts/texts.ts';

export type Located = Pick<SchoolEvent, 'location' | 'location_name'>;

/** The location as lines: name, room and building, address. */
export const locationLines = ({ location, location_name }: Located): string[] => {
  const { name, room = '', building, address } = location ?? {};
  const numbered = /^\d+\w?$/.test(room) ? t('event.room', { room }) : room;
  const within = [numbered, building].filter(Boolean).join(', ');
  return [name ?? location_name ?? '', within, address ?? ''].filter((line) => line !== '');
};

type Seats = Pick<SchoolEvent, 'status' | 'available_spots' | 'max_attendees'> &
  Partial<Pick<SchoolEvent, 'waitlist_enabled' | 'waitlist_count' | 'current_attendees'>>;

/** Places left, as text, or the number of attendees if places are unlimited; null once no one can join any more. */
export function placesText(event: Seats): string | null {
  if (event.status === 'cancelled' || event.status === 'completed') return null;
  const { available_spots: left, max_attendees: all, waitlist_enabled, waitlist_count = 0, current_attendees } = event;
  if (left === null || all === null) return t('event.going', { count: current_attendees ?? 0 });
  // A free place belongs to the waitlist if anyone is on it.
  if (left > 0 && waitlist_count === 0) return t('event.placesLeft', { left, all });
  return waitlist_enabled ? t('event.fullWaiting', { count: waitlist_count }) : t('event.full');
}

/** The price, such as €5; null if there is none. */
export function priceText({ cost, currency }: Pick<SchoolEvent, 'cost' | 'currency'>): string | null {
  if (!cost || !currency) return null;
  const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(language(), options).format(cost);
}
