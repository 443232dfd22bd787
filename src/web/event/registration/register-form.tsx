import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../api/problem.ts';
import { invalidateEvent, optionsQuery } from '../../api/queries.ts';
import type { Registration, SchoolEvent } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextArea } from '../../parts/field.tsx';
import { showNotice } from '../../parts/notices.tsx';
import { Failure } from '../../parts/page.tsx';
import { t, word } from '../../texts/texts.ts';
import { signUp } from './own.ts';

type Person = { user_id: string; name: string | null };

type Props = {
  event: SchoolEvent;
  /** those not registered yet: the user (name null) and their children */
  people: readonly Person[];
  /** status that a registration would get when the page loaded */
  leadsTo: Registration['status'] | null;
  onDone: () => void;
  onClose: () => void;
};

/** Registers a person. If the event filled up meanwhile, registers no one and asks about the waitlist. */
export function RegisterForm({ event, people, leadsTo, onDone, onClose }: Props) {
  const { data: options } = useQuery(optionsQuery);
  // Parents mostly register a child.
  const [user_id, setPerson] = useState((people.find(({ name }) => name !== null) ?? people[0])?.user_id ?? '');
  const [kind, setKind] = useState<Registration['kind']>('attendee');
  const [notes, setNotes] = useState('');
  const [hasFilled, setFilled] = useState(false);
  const first = useRef<HTMLFormElement>(null);
  const filled = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector<HTMLElement>('select, textarea')?.focus(), []);
  useEffect(() => {
    if (hasFilled) filled.current?.querySelector('button')?.focus();
  }, [hasFilled]);

  const submission = useMutation({
    mutationFn: (waitlist: boolean) => signUp(event.id, { kind, notes, user_id, waitlist }),
    retry: false,
    meta: { showsError: true },
    onSuccess: async (registration) => {
      showNotice(registration.status === 'waitlisted' ? t('register.onWaitlist') : t('register.done'));
      await invalidateEvent(event.id);
      onDone();
    },
    onError: (error) => {
      if (isJustFull(error)) setFilled(true);
      void invalidateEvent(event.id);
    },
  });
  const waits = leadsTo === 'waitlisted';
  if (hasFilled)
    return (
      <div ref={filled} role="alert" className="grid gap-3 rounded-xl bg-warn-soft p-3.5 text-warn">
        <p className="font-medium">{t('register.filled')}</p>
        <p className="text-sm">{t('register.waitHint')}</p>
        <div className="flex flex-wrap gap-2">
          <Button look="main" busy={submission.isPending} onClick={() => submission.mutate(true)}>
            {t('register.waitlist')}
          </Button>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        </div>
        {submission.error && !isJustFull(submission.error) && <p className="text-sm">{errorText(submission.error)}</p>}
      </div>
    );
  return (
    <form
      ref={first}
      className="grid gap-3 rounded-xl bg-paper p-3.5"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (!submission.isPending) submission.mutate(waits);
      }}
    >
      {people.length > 1 && (
        <Select
          label={t('register.for')}
          value={user_id}
          onChange={setPerson}
          options={people.map((one) => ({
            value: one.user_id,
            label: one.name ?? (one === people[0] ? t('register.me') : one.user_id),
          }))}
        />
      )}
      {/* Families are not asked: no event offers them another kind. */}
      {event.allowed_actions.includes('edit') && (
        <Select
          label={t('registrations.kind')}
          value={kind}
          onChange={setKind}
          options={(options?.registration_kinds ?? [kind]).map((value) => ({ value, label: word('kind', value) }))}
        />
      )}
      <TextArea
        label={t('register.notes')}
        rows={2}
        maxLength={options?.limits.notes}
        value={notes}
        onChange={setNotes}
      />
      {waits && <p className="text-sm text-soft">{t('register.waitHint')}</p>}
      <Failure error={submission.error} />
      <div className="flex flex-wrap gap-2">
        <Button look="main" type="submit" className="min-h-11 grow" busy={submission.isPending}>
          {waits ? t('register.waitlist') : t('register.button')}
        </Button>
        <Button className="min-h-11" onClick={onClose}>
          {t('dialog.cancel')}
        </Button>
      </div>
    </form>
  );
}

const isJustFull = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'event_full' && error.problem.waitlist_enabled === true;
