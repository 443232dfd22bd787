import type { SchoolEvent } from '../api/types.ts';

export type Located = Pick<SchoolEvent, 'location' | 'location_name'>;

/** The location as lines: name, room and building, address. */
export const locationLines = ({ location, location_name }: Located): string[] => {
  const { name, room, building, address } = location ?? {};
  const within = [room, building].filter(Boolean).join(', ');
  return [name ?? location_name ?? '', within, address ?? ''].filter((line) => line !== '');
};
