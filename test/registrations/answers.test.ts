import { describe, expect, it, test } from 'vitest';
import type { Question } from '../../src/events/event.ts';
import { answerFaults, unanswered, withAnswers } from '../../src/registrations/answers.ts';
import type { GivenAnswer } from '../../src/registrations/input.ts';
import type { Answer } from '../../src/registrations/registration.ts';
import { NOW } from '../support/builders.ts';

const QUESTIONS: Question[] = [
  { id: 'allergies', type: 'text', label: 'Allergies', required: true },
  { id: 'lunch', type: 'choice', label: 'Lunch', options: ['Soup', 'Salad'], required: false },
  { id: 'photos', type: 'consent', label: 'Photos may be taken', required: true },
];
const given = (answers: Record<string, string | boolean>): GivenAnswer[] =>
  Object.entries(answers).map(([question_id, value]) => ({ question_id, value }));
const ALL = given({ allergies: 'Nuts', lunch: 'Soup', photos: true });

describe('answers of a new registration', () => {
  const faults = (answers: GivenAnswer[], required: 'all' | 'given' | 'none' = 'all') =>
    answerFaults(QUESTIONS, answers, { required, at: '/answers' }).map(({ pointer, rule }) => `${pointer} ${rule}`);

  it.each<[string, GivenAnswer[], string[]]>([
    ['all are answered', ALL, []],
    ['an optional one is missing', given({ allergies: 'None', photos: true }), []],
    ['an optional one is empty', given({ allergies: 'None', lunch: '', photos: true }), []],
    ['required ones are missing', [], ['/answers required', '/answers required']],
    ['a required text is blank', given({ allergies: ' ', photos: true }), ['/answers/0/value required']],
    ['a required consent is not given', given({ allergies: 'x', photos: false }), ['/answers/1/value required']],
    [
      'no such option exists',
      [...given({ lunch: 'Steak' }), ...ALL.filter((one) => one.question_id !== 'lunch')],
      ['/answers/0/value enum'],
    ],
    ['a text has control characters', given({ allergies: 'Nuts\u0000', photos: true }), ['/answers/0/value text']],
    ['a text has half an emoji', given({ allergies: '\ud83d', photos: true }), ['/answers/0/value text']],
    ['a consent is a text', given({ allergies: 'x', photos: 'yes' }), ['/answers/1/value type']],
    ['a text is a consent', given({ allergies: true, photos: true }), ['/answers/0/value type']],
    ['the event asks no such question', [...ALL, ...given({ age: '7' })], ['/answers/3/question_id enum']],
    ['one is answered twice', [...ALL, ...given({ lunch: 'Salad' })], ['/answers/3/question_id uniqueItems']],
  ])('are checked if %s', (_name, answers, expected) => {
    expect(faults(answers)).toEqual(expected);
  });

  it('may be left out by staff, and partly in a change', () => {
    expect(faults([], 'none')).toEqual([]);
    expect(faults(given({ allergies: '' }), 'none')).toEqual([]);
    expect(faults(given({ lunch: 'Soup' }), 'given')).toEqual([]);
    expect(faults(given({ allergies: '' }), 'given')).toEqual(['/answers/0/value required']);
  });
});

const JANA = { user_id: 'jana', name: 'Jana Nováková', at: NOW };
const consent: Answer = {
  question_id: 'photos',
  value: true,
  consented_by: 'karl',
  consented_name: 'karl',
  consented_at: new Date('2026-08-01T00:00:00Z'),
};

test('a consent keeps who gave it and when; a text is trimmed', () => {
  expect(withAnswers([], given({ allergies: ' Nuts ', photos: true, lunch: '' }), JANA)).toEqual([
    { question_id: 'allergies', value: 'Nuts' },
    {
      question_id: 'photos',
      value: true,
      consented_by: 'jana',
      consented_name: 'Jana Nováková',
      consented_at: NOW,
    },
  ]);
});

test('a consent that is given again keeps its first name and time', () => {
  const before = [{ question_id: 'allergies', value: 'Milk' }, consent];
  expect(withAnswers(before, given({ allergies: 'Nuts', photos: true }), JANA)).toEqual([
    { question_id: 'allergies', value: 'Nuts' },
    consent,
  ]);
});

test('an empty answer removes the one before, and the others stay', () => {
  const before = [consent, { question_id: 'removed question', value: 'kept' }];
  expect(withAnswers(before, given({ photos: false }), JANA)).toEqual([
    { question_id: 'removed question', value: 'kept' },
  ]);
});

test('only required questions without an answer are open', () => {
  expect(unanswered(QUESTIONS, given({ photos: true })).map(({ id }) => id)).toEqual(['allergies']);
  expect(unanswered(QUESTIONS, ALL)).toEqual([]);
});
