import { queryClient } from '../../api/queries.ts';
import { namesQuery } from '../../event-parts/people.ts';
import { PeoplePicker } from '../../event-parts/people-picker.tsx';
import { Fault, TextField } from '../../parts/forms/field.tsx';
import { Switch } from '../../parts/forms/switch.tsx';
import { t } from '../../texts/texts.ts';
import { partsOf, useEditing } from '../context.tsx';
import type { Draft } from '../draft/draft.ts';

/** Whether families choose times of a parent-teacher meeting: how long each is, the breaks, and the teachers. */
export function Meetings() {
  const { draft, edit, faultOf } = useEditing();
  const { slots, organizer_id } = draft;
  const change = (more: Partial<Draft['slots']>) => edit({ slots: { ...slots, ...more } });
  const part = partsOf('slots.', slots, change, faultOf);
  /** The event keeps the names, so that families and messages have them. */
  const changeHosts = async (ids: string[], more: Partial<Draft['slots']> = {}) => {
    const known = ids.length > 0 ? await queryClient.fetchQuery(namesQuery(ids)) : null;
    change({ ...more, hosts: ids.map((user_id) => ({ user_id, name: known?.get(user_id)?.name ?? user_id })) });
  };
  const turn = (isOn: boolean) => {
    const isFirst = isOn && slots.hosts.length === 0 && organizer_id !== '';
    if (isFirst) void changeHosts([organizer_id], { isOn });
    else change({ isOn });
  };
  return (
    <>
      <Switch label={t('editor.slots')} hint={t('editor.slotsHint')} checked={slots.isOn} onChange={turn} />
      {slots.isOn && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField type="number" min="5" label={t('editor.slotLength')} {...part('length_minutes')} />
            <TextField type="number" min="0" label={t('editor.slotBreak')} {...part('break_minutes')} />
          </div>
          <PeoplePicker
            name="slots.hosts"
            label={t('editor.hosts')}
            hint={t('editor.hostsHint')}
            chosen={slots.hosts.map(({ user_id }) => user_id)}
            onChange={(ids) => void changeHosts(ids)}
          />
        </>
      )}
      <Fault>{faultOf('slots') ?? faultOf('slots.hosts')}</Fault>
    </>
  );
}
