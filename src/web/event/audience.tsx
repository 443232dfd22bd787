import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { useMay } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { namesQuery } from '../event-parts/people.ts';
import { isDerived, NO_ONE } from '../event-parts/visibility.ts';
import { Section } from '../parts/page.tsx';
import { groupName, t, word } from '../texts/texts.ts';

/** number of people listed by name */
const NAMED = 20;

/** The audience, unless it is everyone; for those who may know, also the people it is restricted to. */
export function Audience({ event }: { event: SchoolEvent }) {
  const { target_audience, class_id, grade_level_ids, restricted_to } = event;
  const lines = [
    ...(target_audience.includes('all') ? [] : [target_audience.map((one) => word('audience', one)).join(', ')]),
    ...(class_id ? [t('event.class', { name: groupName(class_id) })] : []),
    ...grade_level_ids.map((id) => t('event.grade', { name: groupName(id) })),
  ].filter((line) => line !== '');
  // Named above already, if it follows from the audience.
  const isNamed = isDerived({ ...event, restricted_to: { ...NO_ONE, ...restricted_to } });
  const limits = event.visibility === 'restricted' && !isNamed ? restricted_to : null;
  if (lines.length === 0 && !limits) return null;
  return (
    <Section title={t('event.audience')} icon={UsersRound}>
      <ul className="grid gap-0.5 empty:hidden">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {limits && <RestrictedTo limits={limits} />}
    </Section>
  );
}

function RestrictedTo({ limits }: { limits: NonNullable<SchoolEvent['restricted_to']> }) {
  const { user_ids = [], roles = [], class_ids = [], grade_level_ids = [], department_ids = [] } = limits;
  const mayAsk = useMay('choose_audience');
  const shown = user_ids.slice(0, NAMED);
  const { data: names } = useQuery({ ...namesQuery(shown), enabled: mayAsk && shown.length > 0 });
  // A person must match one group of every kind listed.
  const kinds = [
    roles.map((role) => word('role', role)),
    class_ids.map((id) => t('event.class', { name: groupName(id) })),
    grade_level_ids.map((id) => t('event.grade', { name: groupName(id) })),
    department_ids.map(groupName),
  ].filter((kind) => kind.length > 0);
  const groups = kinds.length > 0 ? [kinds.map((kind) => kind.join(' / ')).join(' + ')] : [];
  const people = shown.map((id) => names?.get(id)?.name ?? id);
  const more = user_ids.length - shown.length;
  return (
    <>
      <h3 className="mt-2 mb-1 text-sm font-medium text-soft first:mt-0">{t('event.restrictedTo')}</h3>
      <ul className="flex flex-wrap gap-1.5">
        {[...groups, ...people].map((one, at) => (
          <li key={`${String(at)} ${one}`} className="rounded-md bg-hover px-2 py-0.5 text-sm">
            {one}
          </li>
        ))}
        {more > 0 && <li className="px-1 py-0.5 text-sm text-soft">{t('list.more', { count: more })}</li>}
        {groups.length + people.length === 0 && <li className="text-sm">{t('editor.restrictedNoOne')}</li>}
      </ul>
    </>
  );
}
