import type { Options } from '../api/types.ts';
import { LANGUAGE_TAGS } from '../texts/languages.ts';
import { type Draft, fieldsOf, type Step } from './draft.ts';
import { instantOf } from './wall-time.ts';

/** Request fields by step; fields that the form hides are null or false. */
export type Body = Record<Step, Record<string, unknown>>;

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);
const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')));

/** A merge patch removes a language that is null. */
const translationsOf = ({ translations }: Draft) =>
  Object.fromEntries(
    LANGUAGE_TAGS.map((tag) => {
      const { title = '', description = '' } = translations[tag] ?? {};
      const words = { title: title.trim(), description: textOrNull(description) };
      return [tag, words.title === '' && words.description === null ? null : words];
    }),
  );

/** The form as request fields. */
export function bodyOf(draft: Draft, { registration_types }: Options, zone: string): Body {
  const rule = registration_types.find(({ value }) => value === draft.registration_type);
  const { needs_capacity = false, needs_deadline = false, needs_cost = false } = rule ?? {};
  const cost = needs_cost ? numberOrNull(draft.cost) : null;
  const { isVirtual } = draft;
  const fields = (step: Step) => ({
    ...Object.fromEntries(fieldsOf('same', step).map((name) => [name, draft[name]])),
    ...Object.fromEntries(fieldsOf('text', step).map((name) => [name, textOrNull(draft[name])])),
  });
  const inLocation = fieldsOf('location').map((name) => {
    const isShown = isVirtual === (name === 'virtualLink');
    return [name, isShown ? textOrNull(draft[name]) : null];
  });
  return {
    basics: {
      ...fields('basics'),
      title: draft.title.trim(),
      translations: translationsOf(draft),
      restricted_to: draft.visibility === 'restricted' ? draft.restricted_to : null,
    },
    schedule: { ...fields('schedule'), ...(draft.all_day ? { start_time: null, end_time: null } : {}) },
    place: { ...fields('place'), location: { isVirtual, ...Object.fromEntries(inLocation) } },
    registration: {
      registration_type: draft.registration_type,
      max_attendees: needs_capacity ? numberOrNull(draft.max_attendees) : null,
      registration_deadline: needs_deadline ? instantOf(draft.registration_deadline, zone) : null,
      waitlist_enabled: needs_capacity && draft.waitlist_enabled,
      requires_approval: needs_capacity && draft.requires_approval,
      cost,
      currency: needs_cost ? textOrNull(draft.currency.toUpperCase()) : null,
      is_free: !cost,
    },
    advanced: {
      ...fields('advanced'),
      attachments: draft.attachments.filter(({ name, url }) => name.trim() !== '' || url.trim() !== ''),
    },
  };
}

/** The recurrence rule as request fields. */
export function ruleOf({ recurrence_pattern, ends, recurrence_count, recurrence_end_date }: Draft) {
  const byCount = ends === 'count';
  return {
    is_recurring: recurrence_pattern !== 'none',
    recurrence_pattern,
    recurrence_count: byCount ? numberOrNull(recurrence_count) : null,
    recurrence_end_date: byCount ? null : textOrNull(recurrence_end_date),
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields that changed. */
export const changesOf = (now: Record<string, unknown>, before: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, before[name])));

/** Drops null fields, for which a new event has defaults. */
export const withoutNulls = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
