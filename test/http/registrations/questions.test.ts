import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { signToken } from '../../../src/http/auth/token.ts';
import { aContact, aSchool } from '../../support/builders.ts';
import {
  callerOf,
  E,
  PARENT,
  pointersOf,
  provideHttp,
  STAFF,
  TOKENS,
  valuesOf,
  type Who,
} from '../../support/http/http-app.ts';

const { app, ask, given, tables, now } = await provideHttp();

const MOTHER: Who = { ...PARENT, children: ['adam', 'bea'] };
const QUESTIONS = [
  { id: 'allergies', type: 'text' as const, label: 'Allergies', required: true },
  { id: 'lunch', type: 'choice' as const, label: 'Lunch', options: ['Soup', 'Salad'], required: false },
  { id: 'photos', type: 'consent' as const, label: '=Photos may be taken', required: true },
];
const answers = (values: Record<string, string | boolean>) =>
  Object.entries(values).map(([question_id, value]) => ({ question_id, value }));
const ALL = answers({ allergies: 'Nuts', photos: true });

async function asked(event: Partial<SchoolEvent> = {}) {
  await tables.schools.put(aSchool({ timezone: 'Europe/Prague', locale: 'en' }));
  await tables.contacts.put(aContact('eva', { roles: ['parent'], name: 'Eva Malá' }));
  const { id } = await given({ registration_questions: QUESTIONS, ...event });
  const url = `${E}/${id}/registrations`;
  const sign = (payload: object, who = MOTHER) =>
    ask(who, 'POST', url, { payload: { kind: 'attendee', user_id: 'adam', ...payload } });
  const edit = (rid: string, values: Record<string, string | boolean>, who = MOTHER) =>
    ask(who, 'PATCH', `${url}/${rid}`, { payload: { answers: answers(values) } });
  return { app, ask, id, url, sign, edit, tables };
}

describe('the questions of an event', () => {
  const create = async (registration_questions: unknown) => {
    const day = '2026-10-16';
    const event = { title: 'Trip', event_type: 'field_trip', start_date: day, end_date: day };
    return { ask, answer: await ask(STAFF, 'POST', E, { payload: { ...event, registration_questions } }) };
  };

  it('are stored in order, changed by an edit, copied by a duplicate and kept by a template', async () => {
    const { ask, answer } = await create(QUESTIONS);
    expect(answer).toMatchObject({ status: 201, body: { registration_questions: QUESTIONS } });
    const url = `${E}/${answer.body.id}`;
    expect((await ask(STAFF, 'POST', `${url}/duplicate`)).body).toMatchObject({ registration_questions: QUESTIONS });
    const template = await ask(STAFF, 'POST', `${url}/template`, { payload: { name: 'Trips' } });
    const fromTemplate = await ask(STAFF, 'POST', `/api/v1/operations/event-templates/${template.body.id}/events`, {
      payload: { start_date: '2026-11-20' },
    });
    expect(fromTemplate.body).toMatchObject({ registration_questions: QUESTIONS });
    const fewer = QUESTIONS.slice(1);
    const edited = await ask(STAFF, 'PATCH', url, { payload: { registration_questions: fewer } });
    expect(edited.body.registration_questions).toEqual(fewer);
    expect((await ask(STAFF, 'PATCH', url, { payload: { registration_questions: null } })).body).toMatchObject({
      registration_questions: [],
    });
  });

  it.each([
    ['eleven', Array.from({ length: 11 }, (_, n) => ({ ...QUESTIONS[0], id: `q${n}` })), '/registration_questions'],
    ['two with one id', [QUESTIONS[0], QUESTIONS[0]], '/registration_questions/1/id'],
    ['a choice without options', [{ ...QUESTIONS[1], options: undefined }], '/registration_questions/0/options'],
    ['a choice of one', [{ ...QUESTIONS[1], options: ['Soup'] }], '/registration_questions/0/options'],
    ['a text with options', [{ ...QUESTIONS[0], options: ['a', 'b'] }], '/registration_questions/0/options'],
    ['an empty label', [{ ...QUESTIONS[0], label: ' ' }], '/registration_questions/0/label'],
    ['another type', [{ ...QUESTIONS[0], type: 'file' }], '/registration_questions/0/type'],
  ])('are refused if there are %s', async (_name, questions, pointer) => {
    const { answer } = await create(questions);
    expect(answer.status).toBe(422);
    expect(pointersOf(answer)).toEqual([pointer]);
  });

  it('are inherited by all dates of a series', async () => {
    const series = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };
    const event = {
      title: 'Club',
      event_type: 'field_trip',
      start_date: '2026-10-16',
      end_date: '2026-10-16',
      ...series,
    };
    const { body } = await ask(STAFF, 'POST', E, { payload: { ...event, registration_questions: QUESTIONS } });
    const dates = await ask(STAFF, 'GET', `${E}/${body.id}/occurrences?fields=all`);
    expect(valuesOf(dates, 'registration_questions')).toEqual(Array(3).fill(QUESTIONS));
  });
});

describe('answers', () => {
  it('are stored with the registration, a consent with the name and time of who gave it', async () => {
    const { ask, url, sign } = await asked();
    const made = await sign({ answers: answers({ allergies: ' Nuts ', lunch: '', photos: true }) });
    expect(made.status).toBe(201);
    expect(made.body.answers).toEqual([
      { question_id: 'allergies', value: 'Nuts' },
      { question_id: 'photos', value: true, consented_name: 'Eva Malá', consented_at: '2026-09-01T08:00:00.000Z' },
    ]);
    expect((await ask(MOTHER, 'GET', `${url}/mine`)).body.data[0].answers).toEqual(made.body.answers);
    expect((await ask(STAFF, 'GET', url)).body.data[0].answers).toEqual(made.body.answers);
  });

  it('are required of families, and not of staff who register others', async () => {
    const { sign, tables } = await asked();
    expect(await sign({ answers: answers({ lunch: 'Soup' }) })).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/answers', rule: 'required' },
          { pointer: '/answers', rule: 'required' },
        ],
      },
    });
    expect(await tables.registrations()).toEqual([]);
    expect((await sign({}, STAFF)).status).toBe(201);
  });

  it('of a family are checked for each person, and a fault registers no one', async () => {
    const { ask, url, tables } = await asked();
    const family = (...all: object[]) =>
      ask(MOTHER, 'POST', `${url}/family`, {
        payload: { people: all.map((one, n) => ({ user_id: ['adam', 'bea'][n], kind: 'attendee', ...one })) },
      });
    const faulty = answers({ allergies: 'None', lunch: 'Steak', photos: true });
    expect(await family({ answers: ALL }, { answers: faulty })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/people/1/answers/1/value', rule: 'enum' }] },
    });
    expect(await tables.registrations()).toEqual([]);
    const done = await family({ answers: ALL }, { answers: answers({ allergies: 'None', photos: true }) });
    const texts = done.body.data.map(
      ({ registration }: { registration: { answers: object[] } }) => registration.answers[0],
    );
    expect(texts).toMatchObject([{ value: 'Nuts' }, { value: 'None' }]);
  });

  it('can be changed by the family until the deadline, and by staff after it', async () => {
    const { sign, edit, id, tables } = await asked({ registration_deadline: new Date('2026-09-02T00:00:00Z') });
    const { body: made } = await sign({ answers: ALL });
    const changed = await edit(made.id, { allergies: 'Milk', lunch: 'Salad' });
    expect(changed.status).toBe(200);
    expect(changed.body.answers).toMatchObject([
      { question_id: 'allergies', value: 'Milk' },
      { question_id: 'photos', consented_name: 'Eva Malá' },
      { question_id: 'lunch', value: 'Salad' },
    ]);
    expect((await edit(made.id, { allergies: 'Milk', photos: true })).body).toEqual(changed.body);
    expect(await edit(made.id, { allergies: '' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/answers/0/value', rule: 'required' }] },
    });
    expect((await edit(made.id, { allergies: 'x' }, { ...PARENT, user_id: 'stranger' })).status).toBe(403);
    await tables.events.set({ registration_deadline: new Date('2026-08-31T00:00:00Z') }, id);
    expect(await edit(made.id, { lunch: 'Soup' })).toMatchObject({
      status: 409,
      body: { code: 'registration_closed', detail: expect.stringContaining('until 2026-08-31 at 00:00 (UTC).') },
    });
    expect((await edit(made.id, { lunch: 'Soup' }, STAFF)).status).toBe(200);
    expect((await edit(made.id, { allergies: '' }, STAFF)).status).toBe(200);
    await tables.events.set({ registration_deadline: now.at }, id);
    expect((await edit(made.id, { lunch: 'Salad' })).status).toBe(200);
    const edits = (await tables.facts()).filter(({ type }) => type === 'registration.edited');
    expect(edits.map(({ data }) => (data as { fields: string[] }).fields)).toEqual(Array(4).fill(['answers']));
  });

  it('have a column for each question in both exports, without formulas', async () => {
    const { app, ask, url, sign, edit } = await asked();
    const { body: made } = await sign({ answers: ALL });
    await edit(made.id, { lunch: 'Salad' });
    const { text } = await ask(STAFF, 'GET', `${url}/export`);
    const [head, row] = text.split('\r\n');
    expect(head).toMatch(/,Reason for cancelling,Allergies,Lunch,'=Photos may be taken$/);
    expect(row).toMatch(/,Nuts,Salad,"Agreed, Eva Malá, 01\/09\/2026 10:00"$/);
    const authorization = `Bearer ${await signToken(TOKENS, callerOf(STAFF))}`;
    const { rawPayload } = await app.inject({ url: `${url}/export.xlsx`, headers: { authorization } });
    const files = Object.entries(unzipSync(rawPayload));
    const read = (end: string) => new TextDecoder().decode(files.find(([name]) => name.endsWith(end))?.[1]);
    for (const words of ['Allergies', 'Nuts', 'Salad', '=Photos may be taken', 'Agreed, Eva Malá, 01/09/2026 10:00'])
      expect(read('sharedStrings.xml')).toContain(words);
    expect(read('worksheets/sheet1.xml')).not.toContain('<f>');
  });

  it('that are missing can be asked for by a message to those people only', async () => {
    const { ask, url, sign, tables } = await asked();
    await sign({ answers: ALL });
    await sign({ user_id: 'late' }, STAFF);
    const message = { subject: 'Please answer', body: 'Thank you.', channels: ['in_app'] };
    const preview = (payload: object) => ask(STAFF, 'POST', `${url}/messages?dry_run=true`, { payload });
    // The mother who registered one of the two reads it too.
    expect((await preview(message)).body).toMatchObject({ people: 2, audience: { in_app: { told: 3 } } });
    const open = { ...message, unanswered: true };
    expect((await preview(open)).body).toMatchObject({ people: 1, audience: { in_app: { told: 1 } } });
    expect((await ask(STAFF, 'POST', `${url}/messages`, { payload: open })).status).toBe(202);
    const [fact] = (await tables.facts()).filter(({ type }) => type === 'message.requested');
    expect(fact).toMatchObject({ data: { unanswered: true } });
  });

  it('to a removed question stay, are not exported, and return with the question', async () => {
    const { ask, id, url, sign, edit } = await asked();
    const { body: made } = await sign({ answers: ALL });
    const ask_only = (questions: object[]) =>
      ask(STAFF, 'PATCH', `${E}/${id}`, { payload: { registration_questions: questions } });
    await ask_only(QUESTIONS.slice(1));
    expect((await ask(STAFF, 'GET', `${url}/export`)).text).not.toContain('Nuts');
    expect((await ask(STAFF, 'GET', `${url}/${made.id}`)).body.answers).toHaveLength(2);
    expect(await edit(made.id, { allergies: 'Milk' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/answers/0/question_id', rule: 'enum' }] },
    });
    await ask_only(QUESTIONS);
    expect((await ask(STAFF, 'GET', `${url}/export`)).text).toContain('Nuts');
  });
});
