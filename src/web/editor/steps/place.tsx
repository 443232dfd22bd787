import { t } from '../../texts/texts.ts';
import { Clashes } from '../clashes.tsx';
import { useEditing } from '../context.tsx';
import { Input, Toggle } from '../inputs.tsx';

/** Step 3: a room or an online meeting. */
export function Place() {
  const { isVirtual } = useEditing().draft;
  return (
    <>
      <Input name="location_name" placeholder={t('editor.locationExample')} />
      <Toggle name="isVirtual" hint={t('editor.virtualHint')} />
      {isVirtual ? (
        <Input name="virtualLink" type="url" />
      ) : (
        <>
          <div className="grid gap-4 sm:grid-cols-3">
            <Input name="building" />
            <Input name="room" />
            <Input name="capacity" inputMode="numeric" />
          </div>
          <Input name="address" />
          <Input name="mapLink" type="url" />
        </>
      )}
      <Clashes />
    </>
  );
}
