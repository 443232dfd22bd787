import { useQuery } from '@tanstack/react-query';
import { countsQuery } from '../../registrations/data.ts';
import { percentText, t } from '../../texts/texts.ts';

/** How many confirmed people are checked in. */
export function Attendance({ id }: { id: string }) {
  const { data } = useQuery(countsQuery(id));
  const confirmed = data?.counts.filter(({ status }) => status === 'confirmed') ?? [];
  const all = confirmed.reduce((sum, { count }) => sum + count, 0);
  const here = confirmed.reduce((sum, { checked_in }) => sum + checked_in, 0);
  if (all === 0) return null;
  return <p className="text-soft">{t('attendees.here', { here, all, share: percentText(here / all) })}</p>;
}
