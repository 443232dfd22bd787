type Schema = Record<string, unknown>;

/** A value inside a body: its path, and its schema. */
export type Leaf = { way: (string | number)[]; types: string[] };

/** Every value that a schema describes, including objects and lists; the first entry stands for a whole list. */
export function leavesOf(schema: Schema, components: Record<string, Schema>, way: Leaf['way'] = []): Leaf[] {
  const { $ref, anyOf, properties, items } = schema;
  if (typeof $ref === 'string') {
    const target = components[$ref.split('/').pop() ?? ''];
    return target ? leavesOf(target, components, way) : [];
  }
  if (Array.isArray(anyOf)) return anyOf.flatMap((one: Schema) => leavesOf(one, components, way));
  const types = [schema.type ?? []].flat() as string[];
  const inner = Object.entries((properties as Record<string, Schema>) ?? {}).flatMap(([name, one]) =>
    leavesOf(one, components, [...way, name]),
  );
  const listed = items ? leavesOf(items as Schema, components, [...way, 0]) : [];
  return [...(way.length > 0 && types.length > 0 ? [{ way, types }] : []), ...inner, ...listed];
}

/** The body with another value at the path; creates missing parents. */
export function withValue(body: unknown, [key, ...rest]: Leaf['way'], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(body) ? [...body] : [];
    list[key] = withValue(list[key], rest, value);
    return list;
  }
  const object = typeof body === 'object' && body !== null ? (body as Schema) : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}

export const pointerOf = (way: Leaf['way']): string => way.map((key) => `/${key}`).join('');
