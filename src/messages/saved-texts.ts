import type { Clock } from '../core/clock.ts';
import { fault, invalid, notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type Caller, type Scope, scopeOf } from '../people/caller.ts';
import type { TranslatedText } from './message.ts';

/** A text that a school keeps to send again. */
export type SavedText = Scope & TranslatedText & { id: string; name: string; updated_at: Date };

export type SavedTextStore = {
  /** All texts of a school, by name. */
  list(scope: Scope): Promise<SavedText[]>;
  insert(text: SavedText): Promise<void>;
  /** @returns false if there is no such text */
  replace(text: SavedText): Promise<boolean>;
  /** @returns false if there is no such text */
  remove(scope: Scope, id: string): Promise<boolean>;
};

type Deps = { clock: Clock; savedTexts: SavedTextStore };
type Fields = TranslatedText & Pick<SavedText, 'name'>;

/** All of them fit on one page of a menu. */
const MOST = 100;

/** @throws Refused `validation_failed` if the school has the most already */
export async function saveText({ clock, savedTexts }: Deps, caller: Caller, fields: Fields): Promise<SavedText> {
  const scope = scopeOf(caller);
  if ((await savedTexts.list(scope)).length >= MOST)
    throw invalid([fault('/name', `can’t be added: a school has at most ${MOST} saved texts`, 'maxItems')]);
  const text = { ...fields, ...scope, id: newId(), updated_at: clock.now() };
  await savedTexts.insert(text);
  return text;
}

/** @throws Refused `not_found` */
export async function replaceText(
  { clock, savedTexts }: Deps,
  caller: Caller,
  id: string,
  fields: Fields,
): Promise<SavedText> {
  const text = { ...fields, ...scopeOf(caller), id, updated_at: clock.now() };
  if (!(await savedTexts.replace(text))) throw notFound();
  return text;
}

/** @throws Refused `not_found` */
export async function removeText({ savedTexts }: Pick<Deps, 'savedTexts'>, caller: Caller, id: string): Promise<void> {
  if (!(await savedTexts.remove(scopeOf(caller), id))) throw notFound();
}
