import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import {
  addNamedRecord,
  type NamedRecord,
  type NamedRecordStore,
  replaceNamedRecord,
} from '../people/named-records.ts';
import type { TranslatedText } from './message.ts';

/** A text that a school keeps to send again. */
export type SavedText = NamedRecord & TranslatedText;

type Deps = { clock: Clock; savedTexts: NamedRecordStore<SavedText> };
type Fields = TranslatedText & Pick<SavedText, 'name'>;

/** All of them fit on one page of a menu. */
const LIMIT = { most: 100, noun: 'saved texts' };

/** @throws Refused `validation_failed` if the school has the most already */
export const saveText = ({ clock, savedTexts }: Deps, caller: Caller, fields: Fields): Promise<SavedText> =>
  addNamedRecord(savedTexts, { ...fields, ...scopeOf(caller), id: newId(), updated_at: clock.now() }, LIMIT);

/** @throws Refused `not_found` */
export const replaceText = (
  { clock, savedTexts }: Deps,
  caller: Caller,
  id: string,
  fields: Fields,
): Promise<SavedText> => replaceNamedRecord(savedTexts, { ...fields, ...scopeOf(caller), id, updated_at: clock.now() });
