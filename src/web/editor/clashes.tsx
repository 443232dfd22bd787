import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getQuery } from '../api/queries.ts';
import { ClashList } from '../dry-run/clash-list.tsx';
import { useEditing } from './context.tsx';

/** What a draft clashes with, as it was last saved. Any other event is checked when its changes are saved. */
export function Clashes() {
  const { event, edit } = useEditing();
  const { id = '', status, updated_at } = event ?? {};
  const { data } = useQuery({
    ...getQuery(['clashes', id, updated_at], '/api/v1/operations/events/{id}/clashes', { path: { id } }),
    enabled: status === 'draft',
    placeholderData: keepPreviousData,
  });
  return data ? <ClashList {...data} onPick={edit} /> : null;
}
