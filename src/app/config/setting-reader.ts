import type { SettingName } from './setting-names.ts';
import { type ConfigFault, type Rule, wholeNumber } from './setting-rules.ts';

/** Reads settings and collects what is wrong with them. */
export type Reader = ReturnType<typeof readerOf>;

export function readerOf(env: NodeJS.ProcessEnv, faults: ConfigFault[]) {
  const fault = (name: SettingName, rule: string) => void faults.push({ name, rule });
  const isSet = (name: SettingName): boolean => (env[name] ?? '') !== '';
  const optional = (name: SettingName, { is, rule }: Rule): string | null => {
    const value = env[name];
    if (value === undefined || value === '') return null;
    if (!is(value)) fault(name, `must be ${rule}`);
    return value;
  };
  return {
    fault,
    isSet,
    optional,
    required(name: SettingName, rule: Rule): string {
      if (!isSet(name)) fault(name, `is missing: ${rule.rule}`);
      return optional(name, rule) ?? '';
    },
    /** Exactly one of two. @returns the name of the one that is set, or null */
    oneOf<A extends SettingName, B extends SettingName>(a: A, b: B): A | B | null {
      if (isSet(a) && isSet(b)) fault(a, `and ${b} exclude each other`);
      if (!isSet(a) && !isSet(b)) fault(a, `or ${b} is needed`);
      return isSet(a) ? a : isSet(b) ? b : null;
    },
    number(name: SettingName, range: readonly [number, number], standard: number): number {
      const value = optional(name, wholeNumber(...range));
      return value === null ? standard : Number(value);
    },
  };
}
