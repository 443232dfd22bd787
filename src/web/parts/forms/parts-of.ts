/**
 * The props of the fields for the parts of an object, whose names begin with `prefix`.
 * @param faultOf what is wrong with the field of a name
 */
export const partsOf =
  <T extends object>(
    prefix: string,
    value: T,
    change: (more: Partial<T>) => void,
    faultOf?: (name: string) => string | undefined,
  ) =>
  <Part extends keyof T & string>(part: Part) => ({
    name: `${prefix}${part}`,
    fault: faultOf?.(`${prefix}${part}`),
    value: value[part],
    onChange: (changed: T[Part]) => change({ [part]: changed } as unknown as Partial<T>),
  });
