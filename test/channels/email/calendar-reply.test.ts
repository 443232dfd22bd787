import { describe, expect, it } from 'vitest';
import { readCalendarReply } from '../../../src/channels/email/received-mail.ts';
import { googleReply, outlookReply } from './calendar-replies.ts';

const to = `reply+${'0a'.repeat(28)}@reply.school.example`;
const uid = '0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b@schoolbell';
const GIVEN = { to, uid, answer: 'ACCEPTED' };
const READ = { to: [to], uid, answer: 'ACCEPTED', recurrence_id: null, stamp: '2026-08-21T07:00:00Z' };

describe.each([
  ['Google', googleReply],
  ['Outlook', outlookReply],
])('an answer from %s', (_, reply) => {
  it.each(['ACCEPTED', 'DECLINED', 'TENTATIVE'])('that says %s is read with its address', async (answer) => {
    expect(await readCalendarReply(reply({ ...GIVEN, answer }))).toEqual({ ...READ, answer });
  });

  it.each([
    ['RECURRENCE-ID:20261007T160000Z', '20261007T160000Z'],
    ['RECURRENCE-ID;TZID=Europe/Prague:20261007T180000', '20261007T160000Z'],
    ['RECURRENCE-ID;TZID=UTC:20261007T160000', '20261007T160000Z'],
    ['RECURRENCE-ID;TZID=Central Europe Standard Time:20261007T180000', '20261007T180000'],
    ['RECURRENCE-ID;VALUE=DATE:20261007', '20261007'],
  ])('names its date of a series by %s', async (recurrence, recurrence_id) => {
    expect(await readCalendarReply(reply({ ...GIVEN, recurrence }))).toMatchObject({ recurrence_id });
  });

  it.each([
    ['is an invitation itself', { method: 'REQUEST' }],
    ['withdraws an event', { method: 'CANCEL' }],
    ['has not decided', { answer: 'NEEDS-ACTION' }],
    ['passes the invitation on', { answer: 'DELEGATED' }],
    ['speaks for two people', { more: ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:jan@home.example'] }],
    ['names no event', { uid: '' }],
    ['is longer than any answer', { more: Array.from({ length: 900 }, () => `COMMENT:${'x'.repeat(70)}`) }],
    ['has a line that is no property', { more: ['no property'] }],
  ])('that %s is passed over', async (_why, more) => {
    expect(await readCalendarReply(reply({ ...GIVEN, ...more }))).toBeNull();
  });
});

describe('any other mail', () => {
  it.each([
    ['a personal one', 'To: school@school.example\r\nSubject: Re: Autumn fair\r\n\r\nWe will come.\r\n'],
    ['an empty calendar', `To: ${to}\r\nContent-Type: text/calendar; method=REPLY\r\n\r\n`],
    ['no calendar', `To: ${to}\r\nContent-Type: text/calendar; method=REPLY\r\n\r\nMETHOD:REPLY\r\n`],
    ['no mail', '\u0000'],
  ])('is passed over: %s', async (_, mail) => {
    expect(await readCalendarReply(Buffer.from(mail))).toBeNull();
  });
});
