import { addDays, addMonths } from '../texts/dates.ts';

/** The page's URL: range of start dates, and bars or table. */
export type StatisticsSearch = { from?: string; to?: string; as?: 'table' };

export type Period = { from: string; to: string };
export const PERIODS = ['year', 'term', 'month', 'last'] as const;

/** Common periods. A school year begins in September, its second term in February. */
export function periods(today: string): Record<(typeof PERIODS)[number], Period> {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const begun = month >= 9 ? year : year - 1;
  const schoolYear = { from: `${begun}-09-01`, to: `${begun + 1}-08-31` };
  const first = `${today.slice(0, 7)}-01`;
  const isSecondHalf = month >= 2 && month < 9;
  return {
    year: schoolYear,
    term: isSecondHalf
      ? { from: `${begun + 1}-02-01`, to: schoolYear.to }
      : { from: schoolYear.from, to: `${begun + 1}-01-31` },
    month: { from: first, to: addDays(addMonths(first, 1), -1) },
    last: { from: addMonths(first, -1), to: addDays(first, -1) },
  };
}
