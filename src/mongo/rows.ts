/** The row (`_id`) of a record (`id`). */
export type Row<T extends { id: string }> = Omit<T, 'id'> & { _id: string };

export function rowOf<T extends { id: string }>({ id, ...rest }: T): Row<T> {
  return { _id: id, ...rest } as Row<T>;
}

export function recordOf<T extends { id: string }>({ _id, ...rest }: Row<T>): T {
  return { id: _id, ...rest } as unknown as T;
}

/** A filter for instants from `from` until before `to`; without bounds it matches everything. */
export const during = (field: string, from?: Date, to?: Date): object =>
  from || to ? { [field]: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } } : {};

/** A filter by lists: a row has one of the values of each list. A field without a list matches every row. */
export const anyOf = <T extends object>(lists: { readonly [K in keyof T]?: readonly T[K][] | undefined }) =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => (values ? [[field, { $in: values }]] : [])),
  ) as { [K in keyof T]?: { $in: T[K][] } };
