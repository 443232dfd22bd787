import { type FieldFault, fault } from '../core/errors.ts';
import { hasControls } from '../core/plain-text.ts';
import type { Question, SchoolEvent } from '../events/event.ts';
import type { Caller } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import type { GivenAnswer } from './input.ts';
import type { Answer } from './registration.ts';

/** The person who answers, and when: kept with a consent. */
type Answering = { user_id: string; name: string; at: Date };

const isBlank = ({ value }: GivenAnswer): boolean => value === false || (typeof value === 'string' && !value.trim());

/**
 * Checks answers against the questions of an event.
 * @param required the required questions that must have an answer: all, or only those whose answer is `given`, or none
 * @param at JSON pointer of the list of answers
 */
export function answerFaults(
  questions: readonly Question[],
  given: readonly GivenAnswer[],
  { required, at }: { required: 'all' | 'given' | 'none'; at: string },
): FieldFault[] {
  const faults = given.flatMap((answer, n) => {
    const question = questions.find(({ id }) => id === answer.question_id);
    const pointer = `${at}/${n}`;
    if (!question) return fault(`${pointer}/question_id`, 'must be the id of a question of the event', 'enum');
    if (given.findIndex(({ question_id }) => question_id === answer.question_id) < n)
      return fault(`${pointer}/question_id`, 'must not be answered twice', 'uniqueItems');
    return valueFault(question, answer, required !== 'none', `${pointer}/value`) ?? [];
  });
  const missing = required === 'all' ? unanswered(questions, given) : [];
  return [...faults, ...missing.map(({ label }) => fault(at, `must have an answer to “${label}”`, 'required'))];
}

function valueFault(question: Question, answer: GivenAnswer, isChecked: boolean, pointer: string): FieldFault | null {
  const { type, options, required } = question;
  const { value } = answer;
  if (type === 'consent' && typeof value !== 'boolean') return fault(pointer, 'must be true or false', 'type');
  if (type !== 'consent' && typeof value !== 'string') return fault(pointer, 'must be a text', 'type');
  if (isBlank(answer)) return required && isChecked ? fault(pointer, 'must be answered', 'required') : null;
  if (typeof value !== 'string') return null;
  if (hasControls(value)) return fault(pointer, 'must not contain control characters', 'text');
  const isOption = type !== 'choice' || options?.includes(value);
  return isOption ? null : fault(pointer, 'must be one of the options', 'enum');
}

/** The required questions without an answer. */
export const unanswered = (questions: readonly Question[], answers: readonly GivenAnswer[]): Question[] =>
  questions.filter(({ id, required }) => required && !answers.some(({ question_id }) => question_id === id));

/** Whether a yes is all that a person has to answer to register for the event. */
export const isAnsweredByYes = (event: SchoolEvent): boolean =>
  event.registration_type !== 'none' && !event.slots && unanswered(event.registration_questions, []).length === 0;

/**
 * The answers after some were given: others stay, also those to questions that the event no longer asks. A consent that was
 * given before keeps its name and time, and every answer its place, so that the same answers again change nothing.
 */
export function withAnswers(before: readonly Answer[], given: readonly GivenAnswer[], by: Answering): Answer[] {
  const answers = new Map(before.map((answer) => [answer.question_id, answer]));
  const consent = { consented_by: by.user_id, consented_name: by.name, consented_at: by.at };
  for (const answer of given) {
    const { question_id, value } = answer;
    if (isBlank(answer)) answers.delete(question_id);
    else if (typeof value === 'string') answers.set(question_id, { question_id, value: value.trim() });
    else if (answers.get(question_id)?.value !== true) answers.set(question_id, { question_id, value, ...consent });
  }
  return [...answers.values()];
}

/** The name of the caller in the directory, else the user id. Reads nothing unless a consent is given. */
export async function loadCallerName(
  { contacts }: { contacts: Pick<ContactStore, 'find'> },
  caller: Caller,
  given: readonly GivenAnswer[],
): Promise<string> {
  const contact = given.some(({ value }) => value === true) ? await contacts.find(caller, caller.user_id) : null;
  return contact?.name ?? caller.user_id;
}
