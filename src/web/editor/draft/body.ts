import type { Options } from '../../api/types.ts';
import { same } from '../../parts/same.ts';
import { LANGUAGE_TAGS } from '../../texts/languages.ts';
import { type Draft, fieldsOf, type QuestionDraft, type Step } from './draft.ts';
import { instantOf } from './wall-time.ts';

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);
/** A text that is no number stays as it is, so that it is refused. */
function numberOrNull(text: string): number | string | null {
  const number = Number(text.replace(',', '.'));
  return text.trim() === '' ? null : Number.isNaN(number) ? text : number;
}

/** A merge patch removes a language that is null. */
const translationsOf = ({ translations }: Draft) =>
  Object.fromEntries(
    LANGUAGE_TAGS.map((tag) => {
      const { title = '', description = '' } = translations[tag] ?? {};
      const words = { title: title.trim(), description: textOrNull(description) };
      return [tag, words.title === '' && words.description === null ? null : words];
    }),
  );

const questionOf = ({ options, label, ...question }: QuestionDraft) => {
  const lines = options.split('\n').flatMap((line) => line.trim() || []);
  return { ...question, label: label.trim(), ...(question.type === 'choice' ? { options: lines } : {}) };
};

/** The attachments that are not blank, which are those that are saved. */
export const filledAttachments = ({ attachments }: Draft): Draft['attachments'] =>
  attachments.filter(({ name, url }) => `${name}${url}`.trim() !== '');

/** Whether families choose times: only of a parent-teacher meeting with registration. */
export const offersSlots = ({ slots, event_type, registration_type }: Draft): boolean =>
  slots.isOn && event_type === 'parent_teacher' && registration_type !== 'none';

const slotsOf = ({ slots: { length_minutes, break_minutes, hosts } }: Draft) => ({
  length_minutes: numberOrNull(length_minutes),
  break_minutes: numberOrNull(break_minutes) ?? 0,
  hosts,
});

/** The form as request fields by step; fields that the form hides are null or false. */
export function bodyOf(draft: Draft, { registration_types }: Options): Record<Step, Record<string, unknown>> {
  const rule = registration_types.find(({ value }) => value === draft.registration_type);
  const takes = draft.registration_type !== 'none';
  const needs_cost = rule?.needs_cost ?? false;
  const price = numberOrNull(draft.cost);
  const cost = needs_cost && typeof price === 'number' ? price : null;
  const { isVirtual, organizer } = draft;
  const [name, email] = [textOrNull(organizer.name), textOrNull(organizer.email)];
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
    place: {
      ...fields('place'),
      location: {
        isVirtual,
        capacity: isVirtual ? null : numberOrNull(draft.capacity),
        ...Object.fromEntries(inLocation),
      },
    },
    registration: {
      registration_type: draft.registration_type,
      max_attendees: takes ? numberOrNull(draft.max_attendees) : null,
      registration_deadline: takes ? instantOf(draft.registration_deadline, draft.timezone) : null,
      waitlist_enabled: takes && draft.waitlist_enabled && !offersSlots(draft),
      requires_approval: takes && draft.requires_approval,
      cost,
      currency: needs_cost ? textOrNull(draft.currency.toUpperCase()) : null,
      is_free: !cost,
      registration_questions: takes ? draft.registration_questions.map(questionOf) : [],
      slots: offersSlots(draft) ? slotsOf(draft) : null,
      registration_url: textOrNull(draft.registration_url),
    },
    advanced: {
      ...fields('advanced'),
      acknowledgement_reminder: draft.asks_acknowledgement ? draft.acknowledgement_reminder : null,
      organizer: name || email ? { type: organizer.type, name, email } : null,
      attachments: filledAttachments(draft),
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

/** The fields that changed. */
export const changesOf = (now: Record<string, unknown>, before: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => !same(value, before[name])));
