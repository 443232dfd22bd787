import type { SettingSchema } from './schema.ts';
import { COMMON, SECTIONS } from './settings.ts';

function settingsIn(schema: SettingSchema): SettingSchema[] {
  if (schema.setting !== undefined) return [schema];
  return [...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})].flatMap(settingsIn);
}

/** Every setting by its name, since two sections may hold the same. */
export const SETTINGS = new Map(
  [...settingsIn(SECTIONS), ...settingsIn(COMMON)].map((one) => [String(one.setting), one]),
);

/** The table of settings in the documents. */
export const settingTable = (): string =>
  [
    '| setting | meaning | must be | if not set |',
    '|---|---|---|---|',
    ...[...SETTINGS].map(([name, { meaning, rule, default: value, unset }]) => {
      return `| \`${name}\` | ${meaning} | ${rule} | ${unset ?? (value === undefined ? 'needed' : `\`${value}\``)} |`;
    }),
  ].join('\n');
