import { createContext, useContext } from 'react';
import type { Options, SchoolEvent } from '../api/types.ts';
import { partsOf } from '../parts/forms/parts-of.ts';
import { t } from '../texts/texts.ts';
import { type Draft, type FieldName, labelOf } from './draft/draft.ts';

type Editing = {
  draft: Draft;
  /** Changes fields and marks them as edited by the user: suggestions no longer change them. */
  edit: (change: Partial<Draft>) => void;
  options: Options;
  event: SchoolEvent | null;
  /** the error of a field, once the user has edited it or left its step */
  faultOf: (field: string) => string | undefined;
};

export const EditingContext = createContext<Editing | null>(null);

/** The form around the current step; `field` gives the props of the input for a field. */
export function useEditing() {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error('useEditing needs an EditingContext');
  const part = partsOf('', editing.draft, editing.edit, editing.faultOf);
  const field = <Name extends FieldName>(name: Name) => ({ ...part(name), label: t(labelOf(name)) });
  return { ...editing, field };
}
