import type { StaticDecode, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { SettingSchema } from './schema.ts';
import { COMMON, SECTIONS } from './settings.ts';

export { CHANNEL_NEEDS, type ChannelSection } from './channel-settings.ts';

type Sections = StaticDecode<typeof SECTIONS>;

export type ConfigNeed = keyof Sections;
export type CommonConfig = StaticDecode<typeof COMMON>;

/** The settings of a process that asked for `N`; sections it didn't ask for are not there. */
export type Config<N extends ConfigNeed = ConfigNeed> = CommonConfig & Pick<Sections, N>;

/** A broken setting: its name and the rule it breaks, never its value. */
type ConfigFault = { readonly name: string; readonly rule: string };

/** Names every broken setting of the environment in one error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ name, rule }) => `${name} ${rule}`).join('; '));
    this.faults = faults;
  }
}

/**
 * Reads the environment; no other file does. An empty value counts as not set. Settings of sections that were not asked for
 * are not looked at, so that a process neither fails on nor holds what it has no use for.
 * @throws ConfigError naming every fault
 */
export function readConfig<const N extends ConfigNeed>(env: NodeJS.ProcessEnv, needs: readonly N[]): Config<N> {
  // Two sections may ask for the same setting.
  const faults = new Map<string, ConfigFault>();
  const read = (schema: TSchema): unknown => {
    const texts = textsOf(schema, env, (name, rule) => faults.set(`${name} ${rule}`, { name, rule }));
    return faults.size > 0 ? null : Value.Decode(schema, texts);
  };
  const config = Object.assign({}, read(COMMON), ...needs.map((need) => ({ [need]: read(SECTIONS.properties[need]) })));
  if (faults.size > 0) throw new ConfigError([...faults.values()]);
  return config;
}

/** Secret files leave a line end after a value, and `docker run --env-file` keeps the quotes around it. */
const AROUND = /^\s|\s$|^(["']).*\1$/s;

/** The texts of a schema's settings in its shape, null where one is not set, and a fault for each broken rule. */
function textsOf(schema: SettingSchema, env: NodeJS.ProcessEnv, fault: (name: string, rule: string) => void): unknown {
  const { anyOf: [, whole = schema] = [], on } = schema;
  const { setting, rule, explain, default: standard, properties = {}, across = [] } = whole;
  if (setting !== undefined) {
    const text = env[setting] || standard;
    if (text === undefined && whole === schema) fault(setting, `is missing: ${rule}`);
    if (text !== undefined && AROUND.test(text)) fault(setting, 'must be written without spaces or quotes around it');
    else if (text !== undefined && !Value.Check(whole, text)) fault(setting, explain?.(text) ?? `must be ${rule}`);
    return text ?? null;
  }
  if (on && !on.some((name) => env[name])) return null;
  const parts = Object.entries(properties).map(([key, part]) => [key, textsOf(part, env, fault)] as const);
  const texts = Object.fromEntries(parts);
  for (const [name, rule, holds] of across) if (!holds(texts)) fault(name, rule);
  return texts;
}
