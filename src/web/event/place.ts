import type { SchoolEvent } from '../api/types.ts';

export type Located = Pick<SchoolEvent, 'location' | 'location_name'>;

/** Where it is, line by line: its name, the way within, the address. */
export const placeWords = ({ location, location_name }: Located): string[] => {
  const { name, room, building, address } = location ?? {};
  const within = [room, building].filter(Boolean).join(', ');
  return [name ?? location_name ?? '', within, address ?? ''].filter((line) => line !== '');
};
