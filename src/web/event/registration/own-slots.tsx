import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidateEvent } from '../../api/queries.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { InlineForm } from '../../parts/forms/form.tsx';
import { showNotice } from '../../parts/notices.tsx';
import { t } from '../../texts/texts.ts';
import type { OwnRow } from './own.ts';
import { type Chosen, SlotFields, slotsOf } from './slot-fields.tsx';
import { changeSlots, slotsQuery, slotText } from './slots.ts';

type Props = {
  registration: OwnRow;
  event: SchoolEvent;
  own: readonly OwnRow[];
  name: string | undefined;
  mayChange: boolean;
};

/** The chosen meetings of a registration, with a form to choose others. */
export function OwnSlots({ registration, event, own, name, mayChange }: Props) {
  /** the times while they are chosen; null after that */
  const [chosen, setChosen] = useState<Chosen | null>();
  const { data } = useQuery({ ...slotsQuery(event.id), enabled: Boolean(chosen) });
  const slots = slotsOf(chosen ?? {}, data, registration);
  const saving = useMutation({
    mutationFn: () => changeSlots(registration, slots),
    meta: { showsError: true },
    onSuccess: () => {
      setChosen(null);
      showNotice(t('slots.saved'));
    },
    onSettled: () => invalidateEvent(event.id),
  });
  const before = () => Object.fromEntries(registration.slots.map((one) => [one.host_user_id, String(one.minute)]));
  if (chosen)
    return (
      <InlineForm
        submit={t('slots.save')}
        busy={saving.isPending}
        disabled={slots.length === 0}
        error={saving.error}
        onSubmit={() => saving.mutate()}
        onCancel={() => setChosen(null)}
      >
        <SlotFields event={event} busy={own} of={registration} chosen={chosen} onChange={setChosen} />
      </InlineForm>
    );
  return (
    <>
      <ul className="grid gap-0.5 font-medium tabular-nums">
        {[...registration.slots]
          .sort((a, b) => a.minute - b.minute)
          .map((slot) => (
            <li key={slot.host_user_id}>{slotText(event, slot)}</li>
          ))}
      </ul>
      {mayChange && (
        <div data-print="no">
          <Button of={name} autoFocus={chosen === null} onClick={() => setChosen(before())}>
            {t('slots.change')}
          </Button>
        </div>
      )}
    </>
  );
}
