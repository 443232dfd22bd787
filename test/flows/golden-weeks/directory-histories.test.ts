import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { readersOf } from '../../../src/notifications/policy/recipients.ts';
import { ruleOf } from '../../../src/notifications/policy/trigger-table.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { hasOptedOut, type Preferences } from '../../../src/people/preferences.ts';
import { E } from '../../support/http/http-app.ts';
import {
  anyStep,
  changePerson,
  checkHistories,
  findSentTwice,
  type History,
  PEOPLE,
  PLAY,
  simulateHistory,
} from './history-steps.ts';
import { findMisinformed } from './misinformed.ts';
import { type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/** Finds the messages since the nth that today’s directory and preferences forbid. */
async function findForbidden({ messages, rowsOf }: SimulatedSchool, nth: number): Promise<string[]> {
  if (messages.length === nth) return [];
  const contacts = new Map((await rowsOf<Contact & { id: string }>('contacts')).map((one) => [one.user_id, one]));
  const wishes = new Map(
    (await rowsOf<Preferences & { id: string }>('preferences')).map((one) => [one.user_id, one.opted_out]),
  );
  const isPresent = (id: string) => contacts.has(id) && !contacts.get(id)?.left_at;
  return messages.slice(nth).flatMap(({ row, channel, trigger, names }) => {
    const readers = readersOf(row);
    const entitled = readers.filter(({ user_id, on_behalf_of }) => {
      const mayKnow = (id: string) =>
        isPresent(id) && (id === user_id || contacts.get(id)?.guardians.includes(user_id) === true);
      return isPresent(user_id) && (on_behalf_of.length === 0 || on_behalf_of.some((one) => mayKnow(one.user_id)));
    });
    const isMandatory = ruleOf(trigger).mandatory.includes(channel);
    const wanting = entitled.filter(
      ({ user_id }) => isMandatory || !hasOptedOut(wishes.get(user_id) ?? [], trigger, channel),
    );
    const children = names === '' ? [] : names.split(', ').map((name) => name.toLowerCase());
    const foreign = children.filter(
      (id) => !entitled.some(({ user_id }) => user_id === id || contacts.get(id)?.guardians.includes(user_id) === true),
    );
    const owners =
      row.given_by === null && row.address !== null
        ? [...contacts.values()].filter(({ email }) => email === row.address)
        : [];
    const isForeign =
      owners.length > 0 && !owners.some((one) => entitled.some(({ user_id }) => user_id === one.user_id));
    const what = `${trigger} by ${channel} to ${readers.map(({ user_id }) => user_id)} about ${names}`;
    return [
      ...(entitled.length === 0 ? [`${what}: no one is entitled to it`] : []),
      ...(entitled.length > 0 && wanting.length === 0 ? [`${what}: no one wants it`] : []),
      ...(isForeign ? [`${what}: ${row.address} belongs to others`] : []),
      ...(foreign.length > 0 ? [`${what}: names ${foreign}`] : []),
    ];
  });
}

async function findFaults(history: History): Promise<string[]> {
  const found: string[] = [];
  let nth = 0;
  const school = await simulateHistory(history, async (now) => {
    found.push(...(await findForbidden(now, nth)));
    nth = now.messages.length;
  });
  const rows = await school.rowsOf<Delivery>('deliveries');
  // An outage of the mail server may last for days.
  const open = rows.filter(({ status, reason }) => !['sent', 'skipped'].includes(status) && reason !== 'tried_out');
  const changed = history.steps.flatMap((step) => (step.kind === 'person' ? step.change.who : []));
  const misinformed = await findMisinformed(school);
  await school.end();
  return [
    ...found,
    // A person whose entry has changed may rightly have missed a message.
    ...misinformed.filter((line) => !changed.some((user_id) => line.startsWith(user_id))),
    ...open.map(({ trigger, status, channel }) => `${trigger} by ${channel} is ${status}`),
    ...findSentTwice(school),
  ];
}

test('no history of the directory sends a message to people who must not or do not want to get it', {
  timeout: 3_600_000,
}, async () => {
  await checkHistories(anyStep, findFaults);
});

test('a message to a former guardian is noticed', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, PEOPLE);
  const { body } = await school.ask('POST', E, PLAY);
  await school.ask('POST', `${E}/${body.id}/publish`);
  await school.ask('POST', `${E}/${body.id}/registrations`, { kind: 'attendee', user_id: 'jana' });
  await school.pass(60);
  expect(await findForbidden(school, 0)).toEqual([]);
  await changePerson(school, { who: 'jana', guardians: ['eva'] });
  expect(await findForbidden(school, 0)).toContain(
    'registration.confirmed by email to karl about Jana: no one is entitled to it',
  );
  await school.end();
});
