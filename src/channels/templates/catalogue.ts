import { existsSync, readFileSync } from 'node:fs';
import type { Content, StoredText } from '../../notifications/content/message.ts';
import type { Trigger } from '../../notifications/policy/trigger-table.ts';
import type { Locale } from '../../people/contact.ts';
import { prepareEmail } from './email.ts';
import type { Sender } from './mail-encoding.ts';
import { prepareInApp, preparePush, prepareSms } from './short-texts.ts';
import { isPlaceholder, type Part, placeholdersIn, type TextsOfOne } from './template.ts';

export const BUNDLE_FORMAT = 2;

/** The texts that a tenant overrides. */
export type OwnTexts = Partial<Record<Trigger, Partial<Record<Locale, TextsOfOne>>>>;

/** All template files, compiled by `npm run build:texts`. */
export type Bundle = {
  format: number;
  texts: Record<Trigger, Record<Locale, TextsOfOne>>;
  tenants: Record<string, OwnTexts>;
};

/** @throws Error if the file is missing or was made by another version of the program */
export function readBundle(path: string): Bundle {
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\``);
  const bundle = JSON.parse(readFileSync(path, 'utf8')) as Bundle;
  if (bundle.format !== BUNDLE_FORMAT) throw new Error(`${path} was made by another version: run build:texts`);
  return bundle;
}

/** Composes all messages to people: prepared once per Content, filled in per person. */
export type Texts = ReturnType<typeof loadTexts>;

/** Selects a text: the tenant's own if there is one, in the version the message was drafted with if that is known. */
type TextName = Pick<Content, 'trigger' | 'locale' | 'texts'> & { tenant_id?: string };

/** @param source the compiled bundle, or the path of its file */
export function loadTexts(source: string | Bundle) {
  const { texts, tenants } = typeof source === 'string' ? readBundle(source) : source;
  const own = new Map(Object.entries(tenants));
  const ours = ({ tenant_id = '', trigger, locale }: TextName): TextsOfOne =>
    own.get(tenant_id)?.[trigger]?.[locale] ?? texts[trigger][locale];
  /** null: the version is unknown, this program's text is used instead */
  const others = new Map<string, TextsOfOne | null>();
  const isOther = (name: TextName): boolean => Boolean(name.texts) && name.texts !== ours(name).version;
  const of = (name: TextName): TextsOfOne => (isOther(name) ? others.get(idOf(name, name.texts)) : null) ?? ours(name);
  return {
    email: onceFor((content, sender: Sender) => prepareEmail(of(content).email, content, sender)),
    sms: onceFor((content) => prepareSms(of(content).sms, content)),
    push: onceFor((content) => preparePush(of(content).push, content)),
    inApp: onceFor((content) => prepareInApp(of(content).in_app, content)),
    /** The version of a text's template files. */
    version: (content: TextName): string => of(content).version,
    /** Every text of this program version, for other versions that send messages drafted with them. */
    all: () => [texts, ...Object.values(tenants)].flatMap(storedTexts),
    /** The ids of texts of other program versions that must be loaded and passed to `learn`. */
    missing(names: readonly TextName[]): string[] {
      const ids = new Set(names.filter(isOther).map((name) => idOf(name, name.texts)));
      return [...ids].filter((id) => !others.has(id));
    },
    /** Uses these stored texts from now on; `missing` no longer returns `ids`, also if a text is unknown or unreadable. */
    learn(ids: readonly string[], stored: readonly StoredText[]): void {
      for (const id of ids) others.set(id, null);
      for (const { id, format, text } of stored)
        if (format === BUNDLE_FORMAT && isReadable(text as TextsOfOne)) others.set(id, text as TextsOfOne);
    },
  };
}

/** Whether this program knows all values that a text prints or uses in conditions: a newer text may have others. */
const isReadable = ({ version: _, ...byChannel }: TextsOfOne): boolean =>
  Object.values<Record<string, Part[]>>(byChannel)
    .flatMap((parts) => Object.values(parts))
    .every((parts) => [...placeholdersIn(parts)].every(({ name }) => isPlaceholder(name)));

const idOf = ({ trigger, locale }: Pick<TextName, 'trigger' | 'locale'>, version: string | null | undefined): string =>
  `${trigger} ${locale} ${version}`;

const storedTexts = (texts: Bundle['texts'] | OwnTexts): StoredText[] =>
  Object.entries(texts).flatMap(([trigger, byLocale]) =>
    Object.entries(byLocale ?? {}).map(([locale, text]) => ({
      id: idOf({ trigger, locale } as TextName, text.version),
      format: BUNDLE_FORMAT,
      text,
    })),
  );

/** Caches by Content object, which all recipients share: preparing costs a hundred times as much as filling in. */
function onceFor<Prepared, Other extends unknown[]>(
  prepare: (content: Content, ...other: Other) => Prepared,
): (content: Content, ...other: Other) => Prepared {
  const kept = new WeakMap<Content, Prepared>();
  return (content, ...other) => {
    const prepared = kept.get(content) ?? prepare(content, ...other);
    kept.set(content, prepared);
    return prepared;
  };
}
