import { t } from '../../texts/texts.ts';
import { Clashes } from '../clashes.tsx';
import { useEditing } from '../context.tsx';
import { Input, Toggle } from '../inputs.tsx';

/** Step 3: a room or an online meeting. */
export function Place() {
  const { isVirtual } = useEditing().draft;
  return (
    <>
      <Input name="location_name" label={t('event.location')} placeholder={t('editor.locationExample')} />
      <Toggle name="isVirtual" label={t('editor.virtual')} hint={t('editor.virtualHint')} />
      {isVirtual ? (
        <Input name="virtualLink" type="url" label={t('editor.virtualLink')} placeholder="https://" />
      ) : (
        <>
          <div className="grid gap-4 sm:grid-cols-3">
            <Input name="building" label={t('editor.building')} />
            <Input name="room" label={t('editor.room')} />
            <Input name="capacity" type="number" min="0" label={t('editor.roomCapacity')} />
          </div>
          <Input name="address" label={t('editor.address')} />
          <Input name="mapLink" type="url" label={t('editor.mapLink')} placeholder="https://" />
        </>
      )}
      <Clashes />
    </>
  );
}
