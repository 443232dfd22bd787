import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../texts/texts.ts';
import { Form } from './page.tsx';

export default function NewEventPage() {
  const { step, draft, ...slot } = useSearch({ from: '/signed-in/events/new' });
  // Load the draft in the URL only on entry: later this form itself writes the id of the draft it created.
  const [{ first, last, key }, set] = useState({ first: draft, last: draft, key: 0 });
  if (draft !== last)
    set(draft === undefined ? { first: draft, last: draft, key: key + 1 } : { first, last: draft, key });
  return <Form key={key} id={first} step={step} slot={slot} title={t('nav.new')} />;
}
