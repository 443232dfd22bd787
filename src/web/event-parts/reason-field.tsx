import { useEventOptions } from '../api/queries.ts';
import { TextArea } from '../parts/forms/field.tsx';
import { t } from '../texts/texts.ts';

type Props = { hint: string; rows: number; value: string; onChange: (value: string) => void };

/** A field for the reason that people read. */
export function ReasonField(props: Props) {
  const options = useEventOptions();
  return <TextArea label={t('form.reason')} maxLength={options?.limits.reason} {...props} />;
}
