import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { invalidateEvent } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { showNotice } from '../../parts/notices.tsx';
import { Failure } from '../../parts/page.tsx';
import { t } from '../../texts/texts.ts';
import { checkIn, type OwnRow } from './own.ts';

/** Checks in the user or a child (`name`) with the code shown at the door; a link may contain it. */
export function CheckInForm({ registration, name }: { registration: OwnRow; name: string | null }) {
  const { check_in = '' } = useSearch({ strict: false });
  const [code, setCode] = useState(check_in);
  const submission = useMutation({
    mutationFn: () => checkIn(registration, code),
    meta: { showsError: true },
    onSuccess: async () => {
      showNotice(t('door.done'));
      await invalidateEvent(registration.event_id);
    },
  });
  const digits = code.replace(/\D/g, '');
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
