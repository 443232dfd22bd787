import { useQuery } from '@tanstack/react-query';
import type { Registration, SchoolEvent, Slots } from '../../api/types.ts';
import { Select } from '../../parts/forms/field.tsx';
import { Loaded } from '../../parts/page.tsx';
import { t } from '../../texts/texts.ts';
import type { OwnRow } from './own.ts';
import { slotsQuery, slotTime } from './slots.ts';

/** The chosen minute of each host, as text; '' for no meeting. */
export type Chosen = Record<string, string>;

type Meeting = Registration['slots'][number];

const isSame = (a: Meeting, b: Meeting): boolean => a.host_user_id === b.host_user_id && a.minute === b.minute;

/** The times that a registration may have: its own (`of`) are free for it. */
const openSlots = (slots: Slots | undefined, of: OwnRow | undefined): Slots['data'] =>
  slots?.data.filter((slot) => slot.is_free || of?.slots.some((own) => isSame(own, slot))) ?? [];

/** The chosen meetings, without those that another family has taken meanwhile. */
export const slotsOf = (chosen: Chosen, slots: Slots | undefined, of?: OwnRow): Meeting[] =>
  openSlots(slots, of).flatMap(({ host_user_id, minute }) =>
    chosen[host_user_id] === String(minute) ? [{ host_user_id, minute }] : [],
  );

type Props = {
  event: SchoolEvent;
  /** whose meetings they are, if several people register */
  name?: string | null;
  /** registrations of the family whose meetings the parent attends too */
  busy: readonly OwnRow[];
  /** times that are being chosen for the other children */
  others?: Meeting[];
  /** the registration that is changed: its own times are free for it */
  of?: OwnRow;
  /** the form was sent without a time */
  fault?: string;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
};

/** A list of free times for each teacher, without those at which the parent has another meeting. */
export function SlotFields({ event, name, busy, others = [], of, fault, chosen, onChange }: Props) {
  const query = useQuery(slotsQuery(event.id));
  const taken = [...busy.filter((one) => one !== of).flatMap(({ slots }) => slots), ...others];
  return (
    <fieldset className="grid gap-3">
      <legend className="font-medium">{name ? `${t('slots.label')}: ${name}` : t('slots.label')}</legend>
      {(event.slots?.hosts.length ?? 0) > 1 && <p className="text-sm text-soft">{t('slots.hint')}</p>}
      <Loaded query={query}>
        {(slots) =>
          slots.hosts.map(({ user_id, name: host }, at) => {
            const blocked = [...taken, ...slotsOf({ ...chosen, [user_id]: '' }, slots, of)];
            const free = openSlots(slots, of).filter(
              (one) =>
                one.host_user_id === user_id &&
                blocked.every(({ minute }) => Math.abs(minute - one.minute) >= slots.length_minutes),
            );
            const value = chosen[user_id] ?? '';
            const isFree = free.some(({ minute }) => String(minute) === value);
            return (
              <Select
                key={user_id}
                label={host}
                value={isFree ? value : ''}
                fault={value !== '' && !isFree ? t('problem.slot_taken') : at === 0 ? fault : undefined}
                onChange={(minute) => onChange({ ...chosen, [user_id]: minute })}
                none={t(free.length > 0 ? 'slots.none' : 'slots.full')}
                options={free.map(({ minute }) => ({ value: String(minute), label: slotTime(event, minute) }))}
              />
            );
          })
        }
      </Loaded>
    </fieldset>
  );
}
