import { createContext, useContext } from 'react';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import type { Options, SchoolEvent } from '../api/types.ts';
import type { Draft, FieldName } from './draft.ts';

export type Editing = {
  form: UseFormReturn<Draft>;
  options: Options;
  event: SchoolEvent | null;
  /** the event's own zone */
  zone: string;
  /** the error of a field, once the user has edited it or left its step */
  faultOf: (field: string) => string | undefined;
  /** marks a field as edited by the user: suggestions no longer change it */
  touch: (field: FieldName) => void;
};

const Context = createContext<Editing | null>(null);

export const EditingProvider = Context.Provider;

/** The form around the current step. */
export function useEditing(): Editing {
  const editing = useContext(Context);
  if (!editing) throw new Error('useEditing needs an EditingProvider');
  return editing;
}

/** The current value of a field. */
export function useValue<K extends FieldName>(name: K): Draft[K] {
  const { form } = useEditing();
  return useWatch({ control: form.control as Control<Draft>, name }) as Draft[K];
}

/** Sets a field and marks it as edited by the user. */
export function useSet(): <K extends FieldName>(name: K, value: Draft[K]) => void {
  const { form, touch } = useEditing();
  return (name, value) => {
    touch(name);
    form.setValue(name, value as never, { shouldDirty: true });
  };
}
