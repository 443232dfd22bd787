/** The result of one row in the report of `npm run faults`. */
export type RowResult = {
  row: string;
  seed: number;
  size: 'small' | 'full';
  seconds: number;
  /** measurements of the row: copies, seconds until all work was finished … */
  figures: Record<string, number | string>;
  /** null: every check held */
  failure: string | null;
};

/** `pass  email-kill  seed 1, small, 31.2 s  copies 12` */
export function rowLine({ row, seed, size, seconds, figures, failure }: RowResult): string {
  const measured = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  const [why = ''] = (failure ?? '').split('\n');
  return [
    failure === null ? 'pass' : 'FAIL',
    row.padEnd(20),
    `seed ${seed}, ${size}, ${seconds} s`.padEnd(28),
    [...measured, ...(failure === null ? [] : [why])].join('; '),
  ].join('  ');
}

/** The names after `--only` that belong to no row that has run. */
export const unknownRows = (only: readonly string[], results: readonly Pick<RowResult, 'row'>[]): string[] =>
  only.filter((name) => !results.some(({ row }) => new RegExp(`^(${name})$`).test(row)));
