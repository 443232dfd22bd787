import { useNavigate } from '@tanstack/react-router';
import { isDay } from '../texts/dates.ts';

/** A value of a URL: a text that is not empty, a date, a time, or one of a list; else undefined. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const day = (value: unknown): string | undefined => (isDay(value) ? value : undefined);
export const time = (value: unknown): string | undefined =>
  typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : undefined;
export const oneOf = <T>(values: readonly T[], value: unknown): T | undefined => values.find((one) => one === value);

/** Reads these texts of a URL; the API validates the values. */
export const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (given: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, text(given[name])])) as { [N in Name]?: string };

/** Changes filters in the URL of the page that is shown, which stays where it is. */
export function useFilterChange<Search extends object>(): (change: Search) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
}

/** Parses a query string; repeated names become a list: `?type=exam&type=sports`. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const given = new URLSearchParams(search);
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    found[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return found;
}

/** Writes a query string; leaves out empty and undefined values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') given.append(name, String(one));
  }
  const text = given.toString();
  return text ? `?${text}` : '';
}
