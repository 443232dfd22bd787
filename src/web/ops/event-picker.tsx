import { useQuery } from '@tanstack/react-query';
import { eventQuery } from '../api/queries.ts';
import { useFoundEvents } from '../event-parts/find-events.ts';
import { type Matches, Picker } from '../event-parts/picker.tsx';
import { whenText } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';

type Props = { chosen: string | undefined; onChange: (event_id: string) => void };

/** Picks one event by its title; the last one picked replaces the one before. */
export function EventPicker({ chosen, onChange }: Props) {
  const { data: event } = useQuery({ ...eventQuery(chosen ?? ''), enabled: chosen !== undefined, retry: false });
  return (
    <Picker
      label={t('card.label')}
      hint={t('ops.filter.eventHint')}
      none={t('ops.filter.noEvent')}
      chosen={chosen ? [chosen] : []}
      onChange={(ids) => onChange(ids.at(-1) ?? '')}
      nameOf={() => event?.title}
      useMatches={useEvents}
    />
  );
}

function useEvents(typed: string): Matches {
  const { data, error, isPlaceholderData } = useFoundEvents(typed);
  return {
    data: data?.map((one) => ({ id: one.id, label: one.title, hint: whenText(one) })),
    error,
    isPlaceholderData,
  };
}
