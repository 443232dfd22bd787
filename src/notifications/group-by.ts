import type { Delivery } from './delivery.ts';

/** Rows that have something in common, in the order they came. */
export function groupBy(rows: readonly Delivery[], keyOf: (row: Delivery) => string): Delivery[][] {
  const groups = new Map<string, Delivery[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
