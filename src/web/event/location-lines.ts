import type { SchoolEvent } from '../api/types.ts';
import { t } from '../texts/texts.ts';

export type Located = Pick<SchoolEvent, 'location' | 'location_name'>;

/** The location as lines: name, room and building, address. */
export const locationLines = ({ location, location_name }: Located): string[] => {
  const { name, room = '', building, address } = location ?? {};
  const numbered = /^\d+\w?$/.test(room) ? t('event.room', { room }) : room;
  const within = [numbered, building].filter(Boolean).join(', ');
  return [name ?? location_name ?? '', within, address ?? ''].filter((line) => line !== '');
};
