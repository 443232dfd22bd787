import type { ListedRegistration } from '../api/types.ts';
import { groupName, language, t } from '../texts/texts.ts';
import type { RegistrationSearch } from './data.ts';
import { nameOf } from './table.tsx';

type Props = { rows: readonly ListedRegistration[]; isCut: boolean; search: RegistrationSearch };

const TAKES_PLACE: ReadonlySet<ListedRegistration['status']> = new Set(['pending', 'confirmed']);

/**
 * The attendance sheet: the loaded people by name, with a space for their signature. Lists those with a place, unless the
 * page is filtered by status.
 */
export function AttendanceSheet({ rows, isCut, search }: Props) {
  const people = rows
    .filter(({ status }) => search.status !== undefined || TAKES_PLACE.has(status))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), language()));
  return (
    <>
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-edge">
            <th className="w-8 py-1.5 font-semibold">{t('sheet.number')}</th>
            <th className="py-1.5 pr-3 font-semibold">{t('people.name')}</th>
            <th className="py-1.5 pr-3 font-semibold">{t('filter.class')}</th>
            <th className="py-1.5 pr-3 font-semibold">{t('people.phone')}</th>
            <th className="w-2/5 py-1.5 font-semibold">{t('sheet.signature')}</th>
          </tr>
        </thead>
        <tbody>
          {people.map((row, at) => (
            <tr key={row.id} className="h-10 break-inside-avoid border-b border-edge">
              <td className="tabular-nums">{at + 1}</td>
              <td className="pr-3">
                <span className="font-medium">{nameOf(row)}</span>
                {row.notes && <span className="block text-soft">{row.notes}</span>}
              </td>
              <td className="pr-3">{row.class_ids.map(groupName).join(', ')}</td>
              <td className="pr-3 whitespace-nowrap tabular-nums">{row.phone}</td>
              <td className="border-l border-edge" />
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className="mt-2 text-sm">{t('registrations.printedFirst', { count: rows.length })}</p>}
    </>
  );
}
