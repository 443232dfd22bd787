import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Rostered } from '../api/types.ts';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { statusDetail } from './status-detail.ts';

/** Whether the page is being printed; true in time for the browser to lay out the print. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const media = matchMedia('print');
    const change = () => flushSync(() => setPrinting(media.matches));
    const before = () => flushSync(() => setPrinting(true));
    media.addEventListener('change', change);
    window.addEventListener('beforeprint', before);
    return () => {
      media.removeEventListener('change', change);
      window.removeEventListener('beforeprint', before);
    };
  }, []);
  return isPrinting;
}

type Props = { rows: readonly Rostered[]; total: number; zone: string };

/** The printed list: all loaded rows, each with a box to tick by hand. */
export function PrintedRoster({ rows, total, zone }: Props) {
  const names = new Map(rows.map((row) => [row.id, row.name ?? row.user_id]));
  return (
    <>
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="border-b border-edge">
            <th className="w-8 py-1.5" aria-label={t('registrations.actions')} />
            {(['person', 'kind', 'status', 'since'] as const).map((column) => (
              <th key={column} className="py-1.5 pr-3 font-semibold">
                {t(`registrations.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="break-inside-avoid border-b border-line align-baseline">
              <td className="py-1.5">
                <span aria-hidden className="inline-block size-3.5 border border-edge" />
              </td>
              <td className="py-1.5 pr-3">
                <span className="font-medium">{row.name ?? row.user_id}</span>
                {row.notes && <span className="block text-soft">{row.notes}</span>}
              </td>
              <td className="py-1.5 pr-3">{word('kind', row.kind)}</td>
              <td className="py-1.5 pr-3">
                {[word('registrationStatus', row.status), statusDetail(row, zone, (id) => names.get(id) ?? null)]
                  .filter(Boolean)
                  .join(', ')}
              </td>
              <td className="py-1.5 whitespace-nowrap tabular-nums">{momentIn(row.created_at, zone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < total && (
        <p className="mt-2 text-sm">{t('registrations.printedOf', { count: rows.length, total })}</p>
      )}
    </>
  );
}
