import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidateEvent } from '../../api/queries.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Form, FormButtons } from '../../parts/forms/form.tsx';
import { showNotice } from '../../parts/notices.tsx';
import { Failure } from '../../parts/page.tsx';
import { t } from '../../texts/texts.ts';
import type { OwnRow } from './own.ts';
import { type Chosen, SlotFields, slotsOf } from './slot-fields.tsx';
import { changeSlots, slotsQuery, slotText } from './slots.ts';

type Props = { registration: OwnRow; event: SchoolEvent; own: readonly OwnRow[]; mayChange: boolean };

/** The chosen meetings of a registration, with a form to choose others. */
export function OwnSlots({ registration, event, own, mayChange }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { data } = useQuery({ ...slotsQuery(event.id), enabled: chosen !== null });
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
      <Form className="grid gap-3 rounded-lg bg-card p-3 text-ink" onSubmit={() => saving.mutate()}>
        <SlotFields event={event} busy={own} of={registration} chosen={chosen} onChange={setChosen} />
        <Failure error={saving.error} />
        <FormButtons
          submit={t('slots.save')}
          busy={saving.isPending}
          disabled={slots.length === 0}
          onCancel={() => setChosen(null)}
        />
      </Form>
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
          <Button onClick={() => setChosen(before())}>{t('slots.change')}</Button>
        </div>
      )}
    </>
  );
}
