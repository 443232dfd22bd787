import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { contentOf } from '../../../src/notifications/content/content.ts';
import { type About, type ComposeDeps, outgoingOf } from '../../../src/notifications/delivery/compose.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { signedLinks } from '../../../src/people/links.ts';
import { factOf, fair, theSchool } from '../../channels/templates/texts-samples.ts';
import { aRegistration } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';

const deps: ComposeDeps = {
  links: { ...signedLinks(Buffer.alloc(32, 7)), reply: (id, user_id) => `reply+${id}+${user_id}` },
  publicUrl: 'https://school.example',
  replyDomain: 'reply.school.example',
  contentOf,
};
const EVA = { trigger: 'event.published', channel: 'email', user_id: 'eva', name: 'Eva' } as const;
const PUBLISHED = factOf('event.published');
/** Of all messages about the fair to Eva alone. */
const reply_to = `reply+${fair().id}+eva@reply.school.example`;

type Given = { row?: Partial<Delivery>; event?: Partial<SchoolEvent>; about?: Partial<About> };
function composed({ row, event: changes, about }: Given = {}, more: Partial<ComposeDeps> = {}) {
  const { event = fair(changes), fact = PUBLISHED } = about ?? {};
  const given = { event, fact, dates: [{ event, fact }], school: theSchool, ...about };
  return outgoingOf({ ...deps, ...more }, aDelivery({ ...EVA, ...row }), given);
}

describe('an announcement', () => {
  test('invites a reader to answer at an address of their own', () => {
    const { content, attendee } = composed();
    expect(content.calendar).toMatchObject({ method: 'REQUEST', for_others: null });
    expect(attendee).toEqual({ reply_to, partstat: 'NEEDS-ACTION' });
  });

  const person = { user_id: 'anna', name: 'Anna' };
  test.each<[string, Partial<Delivery>]>([
    ['a guardian who reads about a child', { on_behalf_of: [person] }],
    ['people who share an address', { also: [{ ...person, on_behalf_of: [] }] }],
    ['the reader of an unverified address', { given_by: 'eva' }],
  ])('invites %s to nothing', (_, row) => {
    expect(composed({ row }).attendee).toEqual({ reply_to: null, partstat: null });
  });

  const question = { id: 'q', label: 'Size', type: 'text' as const };
  test.each<[string, Given]>([
    ['needs no registration', { event: { registration_type: 'none' } }],
    ['asks for an answer', { event: { registration_questions: [{ ...question, required: true }] } }],
    ['offers times to choose', { event: { slots: { length_minutes: 10, hosts: [] } } }],
    ['takes no one any more', { event: { registration_deadline: new Date('2026-08-20T10:14:59Z') } }],
    ['is one date of a series', { event: { recurrence_id: '20260907T160000Z' } }],
  ])('of an event that %s invites no one', (_, given) => {
    expect(composed(given).content.calendar).toBeNull();
  });

  describe.each(['after_postponement', 'after_unpublishing'])('with %s', (pause) => {
    const fact = factOf('event.published', { sequence: 2, [pause]: true });

    test('invites no one, but has the new date as a file from the organizer of the invitation', () => {
      const { content, attendee } = composed({ about: { fact } });
      expect(content.calendar?.for_others).toContain('METHOD:PUBLISH');
      expect(content.calendar?.for_others).not.toContain('ATTENDEE');
      expect(attendee).toEqual({ reply_to, partstat: null });
    });

    test('updates the entry of a child who comes, which takes no answer for the reader', () => {
      const { content, attendee } = composed({ about: { fact, attended: [fair().id], childAttends: true } });
      expect(content.calendar?.method).toBe('REQUEST');
      expect(attendee).toEqual({ reply_to: null, partstat: 'ACCEPTED' });
    });

    test('updates the entry of a reader who comes', () => {
      const { content, attendee } = composed({ about: { fact, attended: [fair().id] } });
      expect(content.calendar?.method).toBe('REQUEST');
      expect(attendee).toEqual({ reply_to, partstat: 'ACCEPTED' });
    });
  });

  test('invites to an event whose questions need no answer', () => {
    const event = { registration_questions: [{ ...question, required: false }] };
    expect(composed({ event }).content.calendar).toMatchObject({ method: 'REQUEST' });
  });

  test('invites no one if calendars can’t answer', () => {
    const { content, attendee } = composed({}, { replyDomain: null });
    expect([content.calendar, attendee]).toEqual([null, undefined]);
  });
});

describe('a notice to a person who is not registered', () => {
  const notice = (event: Partial<SchoolEvent> = {}) =>
    composed({ row: { trigger: 'event.changed' }, event, about: { fact: factOf('event.changed') } });

  test('may be answered as the announcement, also after the deadline', () => {
    const { attendee } = notice({ registration_deadline: new Date('2026-08-01T10:00:00Z') });
    expect(attendee).toMatchObject({ partstat: 'NEEDS-ACTION' });
  });

  test('can’t be answered if the event needs no registration', () => {
    expect(notice({ registration_type: 'none' }).attendee).toEqual({ reply_to, partstat: null });
  });
});

describe('a message to a registered person', () => {
  const place = (status: 'confirmed' | 'pending' | 'waitlisted') => ({
    row: { trigger: 'event.changed' as const, registration_ids: ['r'] },
    about: { fact: factOf('event.changed'), registrations: [aRegistration({ id: 'r', user_id: 'eva', status })] },
  });

  test.each([
    ['confirmed', 'ACCEPTED'],
    ['pending', 'TENTATIVE'],
    ['waitlisted', 'TENTATIVE'],
  ] as const)('whose place is %s says %s to their calendar', (status, partstat) => {
    expect(composed(place(status)).attendee).toMatchObject({ partstat });
  });

  test.each([
    ['confirmed', 'ACCEPTED'],
    ['pending', null],
    ['waitlisted', null],
  ] as const)('whose place is %s attends, or not, if calendars can’t answer', (status, partstat) => {
    expect(composed(place(status), { replyDomain: null }).attendee).toEqual({ reply_to: null, partstat });
  });

  test('has the same address for all dates of a series, so that calendars accept changes of each', () => {
    const date = { id: 'later', parent_event_id: 'first', occurrence_date: '2026-09-14' };
    const event = { ...date, recurrence_id: '20260914T160000Z' };
    const { attendee } = composed({ ...place('confirmed'), event });
    expect(attendee?.reply_to).toBe('reply+first+eva@reply.school.example');
  });
});
