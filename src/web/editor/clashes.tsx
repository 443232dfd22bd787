import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { ClashList } from '../dry-run/clash-list.tsx';
import { useEditing } from './context.tsx';

/** What a draft clashes with, as it was last saved. Any other event is checked when its changes are saved. */
export function Clashes() {
  const { event, edit } = useEditing();
  const { id = '', status, updated_at } = event ?? {};
  const { data } = useQuery({
    queryKey: ['clashes', id, updated_at],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/operations/events/{id}/clashes', { params: { path: { id } }, signal })),
    enabled: status === 'draft',
    placeholderData: keepPreviousData,
  });
  return data ? <ClashList {...data} onPick={edit} /> : null;
}
