import { useQuery } from '@tanstack/react-query';
import { optionsQuery } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { StatusBadge, TypeBadge } from './badge.tsx';

/** Type and status of an event. */
export function Badges({ event }: { event: Pick<SchoolEvent, 'event_type' | 'status'> }) {
  const { data: options } = useQuery(optionsQuery);
  const type = options?.event_types.find(({ value }) => value === event.event_type);
  return (
    <span className="flex flex-wrap gap-1.5">
      {type && <TypeBadge type={type.value} icon={type.icon} color={type.color} />}
      <StatusBadge status={event.status} />
    </span>
  );
}
