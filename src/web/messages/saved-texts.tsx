import { useQuery } from '@tanstack/react-query';
import { rowsQuery } from '../api/queries.ts';
import type { SavedText } from '../api/types.ts';
import { Select } from '../parts/forms/field.tsx';
import { t } from '../texts/texts.ts';

/** The texts that the school keeps to send again, by name. */
export const savedTextsQuery = rowsQuery(['saved-texts'], '/api/v1/operations/saved-texts', {});

type Props = {
  /** whether a chosen text would replace words of the writer */
  isWritten: boolean;
  onChoose: (text: SavedText) => void;
};

/** A menu of the saved texts; nothing if there are none. */
export function SavedTextChoice({ isWritten, onChoose }: Props) {
  const { data: texts = [] } = useQuery(savedTextsQuery);
  if (texts.length === 0) return null;
  const choose = (id: string) => {
    const text = texts.find((one) => one.id === id);
    if (text && (!isWritten || window.confirm(t('message.replace')))) onChoose(text);
  };
  return (
    <Select
      label={t('message.saved')}
      value=""
      onChange={choose}
      none={t('message.chooseSaved')}
      options={texts.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
