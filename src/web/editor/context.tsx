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
  /** what is wrong with a field, once it is time to say so */
  faultOf: (field: string) => string | undefined;
  /** Somebody set this field: nothing is suggested into it any more. */
  touch: (field: FieldName) => void;
};

const Context = createContext<Editing | null>(null);

export const EditingProvider = Context.Provider;

/** The form that the steps are parts of. */
export function useEditing(): Editing {
  const editing = useContext(Context);
  if (!editing) throw new Error('a step outside of its form');
  return editing;
}

/** What stands in one field now. */
export function useValue<K extends FieldName>(name: K): Draft[K] {
  const { form } = useEditing();
  return useWatch({ control: form.control as Control<Draft>, name }) as Draft[K];
}

/** Sets a field as its user does. */
export function useSet(): <K extends FieldName>(name: K, value: Draft[K]) => void {
  const { form, touch } = useEditing();
  return (name, value) => {
    touch(name);
    form.setValue(name, value as never, { shouldDirty: true });
  };
}
