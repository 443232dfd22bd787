import { expect, test } from 'vitest';
import { answerInvitation } from '../../src/calendar/answer-invitation.ts';
import { busy } from '../../src/core/errors.ts';
import type { StoredReply } from '../../src/core/idempotency-record.ts';
import { aContact, anEvent, aRegistration } from '../support/builders.ts';

const event = anEvent({ id: 'event-1', status: 'published' });

/** The stored record of the person's answers, while a later answer meets a busy event. */
function withAnswer(earlier: StoredReply | null) {
  let stored = earlier;
  const deps = {
    links: { readReply: () => ({ shared_id: event.id, isOf: () => true }) },
    events: { findSeries: async () => [event] },
    deliveries: { findMailed: async () => ['eva'] },
    contacts: { find: async () => aContact('eva') },
    completeCaller: async (caller: object) => caller,
    registrations: { listOfPerson: async () => [aRegistration()] },
    eventQueues: { submit: () => Promise.reject(busy('Try again.')) },
    idempotency: {
      async begin() {
        stored = null;
        return { kind: 'started', token: 't', ...(earlier ? { outdated: earlier } : {}) };
      },
      async finish(_key: string, _token: string, reply: StoredReply) {
        stored = reply;
      },
      abandon: async () => {},
    },
  };
  return { deps: deps as never, stored: () => stored };
}

const DECLINED = {
  to: ['reply@school.example'],
  uid: 'event-1@schoolbell',
  recurrence_id: null,
  answer: 'DECLINED',
  stamp: '2026-08-21T09:00:00Z',
} as const;

test.each([
  ['stays if there is one', { status: 204, headers: {}, body: '2026-08-21T08:00:00Z ACCEPTED' }],
  ['is none if there was none', null],
])('the record of an earlier answer %s, when a later answer has to come again', async (_name, earlier) => {
  const { deps, stored } = withAnswer(earlier);
  await expect(answerInvitation(deps, DECLINED)).rejects.toMatchObject({ refusal: { code: 'busy' } });
  expect(stored()).toEqual(earlier);
});
