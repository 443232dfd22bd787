import { useEventOptions } from '../api/queries.ts';
import { TextArea } from '../parts/forms/field.tsx';
import { t } from '../texts/texts.ts';

type Props = { hint: string; rows: number; value: string; onChange: (value: string) => void };

/** A field for the reason that people read. */
export const ReasonField = (props: Props) => (
  <TextArea label={t('form.reason')} maxLength={useEventOptions()?.limits.reason} {...props} />
);
