import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type Rule, wholeNumber } from './setting-rules.ts';

/** A default as the environment would hold it, and what the documents say in its place. */
type IfNotSet = { readonly default?: string; readonly unset?: string };

export const text = (name: string, meaning: string, { is, ...words }: Rule, ifNotSet: IfNotSet = {}) =>
  Type.Refine(Type.String({ setting: name, meaning, ...words, ...ifNotSet }), is);
export const number = (name: string, meaning: string, [least, most]: readonly [number, number], ifNotSet: IfNotSet) =>
  Type.Decode(text(name, meaning, wholeNumber(least, most), ifNotSet), Number);
export const url = (name: string, meaning: string, rule: Rule, ifNotSet: IfNotSet = {}) =>
  Type.Decode(text(name, meaning, rule, ifNotSet), (value) => value.replace(/\/+$/, ''));
/** Null if it is not set. */
export const optional = <S extends TSchema>(setting: S) => Type.Union([Type.Null(), setting]);

/** Settings with rules about several of them: a fault is `name` and `rule`, and the check gets the texts that are set. */
export const group = <P extends TProperties>(
  settings: P,
  ...across: [name: string, rule: string, holds: (given: Static<TObject<P>>) => boolean][]
) => Type.Object(settings, { across });
/** Null unless one of the settings `on` is set; if only some are, each that is missing is a fault. */
export const offUnless = <S extends TSchema>(on: readonly string[], whole: S) =>
  Type.Union([Type.Null(), whole], { on });

/** The keywords of a schema here: of a setting, of a group, or of either that may be null. */
export type SettingSchema = TSchema & {
  readonly setting?: string;
  readonly meaning?: string;
  readonly rule?: string;
  readonly explain?: (value: string) => string;
  readonly default?: string;
  readonly unset?: string;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly across?: readonly [name: string, rule: string, holds: (given: unknown) => boolean][];
  readonly anyOf?: readonly SettingSchema[];
  readonly on?: readonly string[];
};
