import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { OwnAnswers } from '../../answers/own-answers.tsx';
import { invalidateEvent } from '../../api/queries.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { REGISTRATION_LOOKS, registeredText } from '../../event-parts/badge.tsx';
import { AskDialog } from '../../parts/ask.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { Form, InlineForm, useFormMutation } from '../../parts/forms/form.tsx';
import { showNotice } from '../../parts/notices.tsx';
import { Failure } from '../../parts/page.tsx';
import { momentIn } from '../../texts/dates.ts';
import { type TextId, t } from '../../texts/texts.ts';
import { changeSlots, checkIn, leave, type OwnRow } from './own.ts';
import { type Chosen, SlotFields, slotsOf } from './slot-fields.tsx';
import { slotsQuery, slotText } from './slots.ts';

type Props = {
  registration: OwnRow;
  event: SchoolEvent;
  /** the registrations of the family */
  own: readonly OwnRow[];
  name: string | null;
  /** where a phone shows the button to cancel */
  bar: HTMLElement | null;
  /** once it is cancelled and no longer on the page */
  onLeft: () => void;
};

/** The status of the user's or a child's (`name`) registration, with a button to cancel it. */
export function OwnRegistration({ registration, event, own, name, bar, onLeft }: Props) {
  const [isAsked, setAsked] = useState(false);
  const isOff = event.status === 'cancelled';
  const { icon: Picture, look } = REGISTRATION_LOOKS[isOff ? 'cancelled' : registration.status];
  const text = statusText(registration, event, name);
  const hint = hintOf(registration, event);
  // A person who is checked in has come; staff can undo the check-in.
  const mayLeave = registration.allowed_actions.includes('cancel') && !registration.checked_in_at;
  const isMoved = event.status === 'postponed' && registration.status !== 'waitlisted';
  const leavingBar = isMoved ? null : bar;
  const leaving = t(isMoved ? 'register.giveUp' : 'registrationAction.cancel');
  const of = name ?? undefined;
  return (
    <div data-registration={registration.status} className={`grid gap-2 rounded-xl px-3.5 py-3 ${look}`}>
      <p className="flex items-start gap-2 font-medium">
        <Picture size={18} className="mt-0.5 shrink-0" />
        {text}
      </p>
      {hint && <p className="text-sm">{t(hint)}</p>}
      {event.slots && (
        <OwnSlots
          registration={registration}
          event={event}
          own={own}
          name={of}
          mayChange={mayLeave && event.status === 'published'}
        />
      )}
      {registration.checked_in_at && (
        <p className="text-sm">{t('door.came', { when: momentIn(registration.checked_in_at, event.timezone) })}</p>
      )}
      <OwnAnswers registration={registration} event={event} name={of} />
      {registration.allowed_actions.includes('check_in') && <CheckInForm registration={registration} name={name} />}
      {mayLeave && (
        <InBar bar={leavingBar} text={text}>
          <Button className={leavingBar ? 'w-full' : 'justify-self-start'} of={of} onClick={() => setAsked(true)}>
            {leaving}
          </Button>
        </InBar>
      )}
      {isAsked && (
        <AskDialog
          title={t('register.cancelTitle')}
          confirm={leaving}
          look="danger"
          cancel={t('dialog.goBack')}
          run={() => leave(registration)}
          onDone={async () => {
            showNotice(t('register.cancelled'));
            await invalidateEvent(event.id);
            onLeft();
          }}
          onClose={() => setAsked(false)}
        >
          <p>
            <strong>{event.title}</strong>
            {name && `, ${name}`}
          </p>
          {registration.status === 'confirmed' && event.waitlist_count > 0 && (
            <p className="text-soft">{t('register.cancelText')}</p>
          )}
        </AskDialog>
      )}
    </div>
  );
}

function statusText({ status, waitlist_position }: OwnRow, event: SchoolEvent, name: string | null): string {
  const place = waitlist_position ?? '…';
  if (event.status === 'cancelled' || event.status === 'completed') return pastText(status, name);
  if (status !== 'waitlisted') return registeredText(status, name);
  return name === null ? t('register.youWaitlisted', { place }) : t('register.waitlisted', { name, place });
}

/** Says of an event that is over that a person was registered, or never got a place. */
function pastText(status: OwnRow['status'], name: string | null): string {
  if (status === 'confirmed') return registeredText('was', name);
  return name === null ? t('register.youUnconfirmed') : t('register.unconfirmed', { name });
}

/** The hint below the status. Once the event has begun, no one gets a place from the waitlist. */
function hintOf({ status }: OwnRow, event: SchoolEvent): TextId | null {
  if (event.status === 'cancelled') return 'register.nothingToDo';
  if (status !== 'waitlisted') return event.status === 'postponed' ? 'register.kept' : null;
  return event.status === 'in_progress' || event.status === 'completed' ? null : 'register.waitHint';
}

/** Shows the one button that fits the state of a registration: in the bar of a phone, below a line of text, if there is one. */
export function InBar({ bar, text, children }: { bar: HTMLElement | null; text: string; children: ReactNode }) {
  if (!bar) return children;
  return createPortal(
    <>
      <p className="mb-2 text-sm text-soft">{text}</p>
      {children}
    </>,
    bar,
  );
}

/** Checks in the user or a child (`name`) with the code shown at the door; a link may contain it. */
function CheckInForm({ registration, name }: { registration: OwnRow; name: string | null }) {
  const { check_in = '' } = useSearch({ strict: false });
  const [code, setCode] = useState(check_in);
  const digits = code.replace(/\D/g, '');
  const submission = useFormMutation({
    mutationFn: () => checkIn(registration, digits),
    onSuccess: async () => {
      showNotice(t('door.done'));
      await invalidateEvent(registration.event_id);
    },
  });
  return (
    <Form data-print="no" className="grid gap-2" onSubmit={() => submission.mutate()}>
      <TextField
        label={t('door.enter')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        value={code}
        onChange={setCode}
      />
      <Button type="submit" look="main" busy={submission.isPending} disabled={digits.length !== 6}>
        {name ? t('door.child', { name }) : t('door.me')}
      </Button>
      <Failure error={submission.error} />
    </Form>
  );
}

type OwnSlotsProps = Pick<Props, 'registration' | 'event' | 'own'> & { name: string | undefined; mayChange: boolean };

/** The chosen meetings of a registration, with a form to choose others. */
function OwnSlots({ registration, event, own, name, mayChange }: OwnSlotsProps) {
  /** the times while they are chosen; null after that */
  const [chosen, setChosen] = useState<Chosen | null>();
  const { data } = useQuery({ ...slotsQuery(event.id), enabled: Boolean(chosen) });
  const slots = slotsOf(chosen ?? {}, data, registration);
  const saving = useFormMutation({
    mutationFn: () => changeSlots(registration, slots),
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
        <Button
          className="justify-self-start"
          of={name}
          autoFocus={chosen === null}
          onClick={() => setChosen(before())}
        >
          {t('slots.change')}
        </Button>
      )}
    </>
  );
}
