import { randomUUID } from 'node:crypto';
import ICAL from 'ical.js';
import PostalMime from 'postal-mime';
import { beforeEach, expect, test } from 'vitest';
import { type Answer, googleReply, outlookReply } from '../../channels/email/calendar-replies.ts';
import { untilIdle } from '../../faults/harness/checks.ts';
import { contactOf, draft, E, provideWorld, publishEvent, putPeople, type World } from '../../support/world.ts';

const BOUNCE_SECRET = 'shown by the mail server, 32 bytes';
const REPLY_DOMAIN = 'reply.school.example';

const product = provideWorld({ env: { BOUNCE_SECRET, REPLY_DOMAIN } });
/** A school for each test, in which Eva is the only parent. */
let world: World;
let eva: { user_id: string; email: string };
beforeEach(async () => {
  const id = randomUUID();
  world = await product.inSchool({ tenant_id: id, school_id: id });
  eva = { user_id: 'eva', email: `eva-${id}@people.example` };
  await putPeople(world, [contactOf(2, { ...eva, roles: ['parent'] })]);
});

type Invitation = Record<'method' | 'organizer' | 'partstat' | 'uid' | 'stamp' | 'subject' | 'text', string> & {
  recurrence?: string;
};

/** The fields of the calendar file in the last mail to Eva. */
async function lastInvitation(): Promise<Invitation> {
  await untilIdle(world);
  const raw = world.smtp.messages.filter(({ to }) => to.includes(eva.email)).at(-1)?.raw ?? '';
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
  const part = mail.attachments.find(({ mimeType }) => ['text/calendar', 'application/ics'].includes(mimeType));
  const calendar = new ICAL.Component(ICAL.parse(String(part?.content)) as unknown[]);
  const event = calendar.getFirstSubcomponent('vevent');
  const textOf = (name: string) => String(event?.getFirstPropertyValue(name));
  const recurrence = event?.getFirstProperty('recurrence-id')?.toICALString();
  return {
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    method: String(calendar.getFirstPropertyValue('method')),
    organizer: textOf('organizer').replace('mailto:', ''),
    partstat: String(event?.getFirstProperty('attendee')?.getFirstParameter('partstat')),
    uid: textOf('uid'),
    stamp: textOf('dtstamp'),
    ...(recurrence ? { recurrence } : {}),
  };
}

/** Announces an event to Eva. @returns its id, and her invitation */
async function announce(fields: Record<string, unknown> = {}): Promise<{ id: string; invitation: Invitation }> {
  const id = await publishEvent(world, { registration_type: 'optional', target_audience: ['parents'], ...fields });
  return { id, invitation: await lastInvitation() };
}

const answerTo = ({ organizer, uid, recurrence }: Invitation, answer: string, stamp = '20260821T070000Z'): Answer => ({
  to: organizer,
  uid,
  answer,
  stamp,
  ...(recurrence ? { recurrence } : {}),
});

/** Hands a mail over as a mail server does. */
async function receive(mail: Buffer): Promise<unknown> {
  const response = await fetch(`${world.apiUrl}/callbacks/email`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOUNCE_SECRET}`, 'content-type': 'message/rfc822' },
    body: mail,
  });
  expect(response.status).toBe(202);
  return response.json();
}

/** A postponement of an event by an hour. */
const DELAY = { new_start_date: draft().start_date, new_start_time: '19:00', reason: 'Storm' };

const RECORDED = { result: 'recorded' };
const PASSED_OVER = { result: 'passed over' };

/** The statuses of Eva's registrations, oldest first. */
async function placesOf(id: string): Promise<string[]> {
  const { body } = await world.call('GET', `${E}/${id}/registrations`);
  const rows = body.data as unknown as { user_id: string; status: string }[];
  return rows.filter(({ user_id }) => user_id === eva.user_id).map(({ status }) => status);
}

test.each([
  ['Google', googleReply],
  ['Outlook', outlookReply],
])('a yes from %s registers, and a no cancels; each counts once', async (_, reply) => {
  const { id, invitation } = await announce();
  expect(invitation).toMatchObject({ method: 'REQUEST', partstat: 'NEEDS-ACTION', uid: `${id}@schoolbell` });
  expect(invitation.organizer).toMatch(new RegExp(`^reply\\+[0-9a-f]{56}@${REPLY_DOMAIN.replaceAll('.', '\\.')}$`));

  const yes = reply(answerTo(invitation, 'ACCEPTED', '20260821T070000Z'));
  expect(await receive(yes)).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual(['confirmed']);
  const confirmation = await lastInvitation();
  const { method, organizer, uid } = invitation;
  expect(confirmation).toMatchObject({ method, organizer, uid, partstat: 'ACCEPTED' });
  expect(confirmation.subject).toContain('Registration confirmed');

  expect(await receive(reply(answerTo(confirmation, 'TENTATIVE', '20260821T080000Z')))).toEqual(RECORDED);
  expect(await receive(yes)).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual(['confirmed']);

  const no = reply(answerTo(confirmation, 'DECLINED', '20260821T090000Z'));
  for (const mail of [no, no, yes]) expect(await receive(mail)).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual(['cancelled']);

  const { body } = await world.call('GET', `${E}/${id}/timeline`);
  const facts = (body.data as unknown as { type: string; actor: unknown; data: { via?: string } }[])
    .filter(({ type }) => type.startsWith('registration.'))
    .map(({ type, actor, data }) => [type, actor, data.via]);
  const actor = { user_id: eva.user_id };
  expect(facts).toMatchObject([
    ['registration.cancelled', actor, 'calendar'],
    ['registration.confirmed', actor, 'calendar'],
  ]);
});

test.each([
  ['no', 'a person without a place', 'DECLINED', 'ACCEPTED', []],
  ['no', 'a registered person', 'DECLINED', 'ACCEPTED', ['cancelled']],
  ['yes', 'a registered person', 'ACCEPTED', 'DECLINED', ['confirmed']],
])('a %s of %s still counts after an earlier answer that arrives later', async (_, who, last, first, places) => {
  const { id, invitation } = await announce();
  if (who === 'a registered person')
    expect(await receive(googleReply(answerTo(invitation, 'ACCEPTED', '20260821T060000Z')))).toEqual(RECORDED);
  expect(await receive(googleReply(answerTo(invitation, last, '20260821T080000Z')))).toEqual(RECORDED);
  expect(await receive(googleReply(answerTo(invitation, first, '20260821T070000Z')))).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual(places);
});

test('a yes to a full event joins the waitlist, and a cancellation reaches the calendar from the same organizer', async () => {
  const { id, invitation } = await announce({ max_attendees: 1, waitlist_enabled: true });
  const first = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'staff-1' });
  expect(first.status).toBe(201);
  expect(await receive(googleReply(answerTo(invitation, 'ACCEPTED')))).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual(['waitlisted']);
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
  const { organizer, uid } = invitation;
  expect(await lastInvitation()).toMatchObject({ method: 'CANCEL', organizer, uid });
  expect(await receive(googleReply(answerTo(invitation, 'DECLINED')))).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual(['waitlisted']);
});

test('a yes that the rules refuse takes the event out of the calendar, and a message says why', async () => {
  const { id, invitation } = await announce({ max_attendees: 1, waitlist_enabled: false });
  await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'staff-1' });
  const yes = googleReply(answerTo(invitation, 'ACCEPTED'));
  for (const mail of [yes, yes]) expect(await receive(mail)).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual([]);
  const { organizer, uid } = invitation;
  const notice = await lastInvitation();
  expect(notice).toMatchObject({ method: 'CANCEL', organizer, uid });
  expect(notice.subject).toContain('You are not registered: Autumn concert');
  expect(notice.text).toContain('Reason: All places are taken.');
  expect(world.smtp.messages.filter(({ to }) => to.includes(eva.email))).toHaveLength(2);

  const override = { kind: 'attendee', user_id: eva.user_id, override: true };
  expect((await world.call('POST', `${E}/${id}/registrations`, override)).status).toBe(201);
  const place = await lastInvitation();
  expect(place).toMatchObject({ method: 'REQUEST', organizer, uid, partstat: 'ACCEPTED' });
  // RFC 5546 §2.1.5: of two with the same SEQUENCE a calendar takes the later one.
  expect(place.stamp >= notice.stamp).toBe(true);
});

test('a yes to an event that was unpublished meanwhile takes it out of the calendar, and a message says why', async () => {
  const { id, invitation } = await announce();
  expect((await world.call('POST', `${E}/${id}/unpublish`)).status).toBe(200);
  expect(await receive(googleReply(answerTo(invitation, 'ACCEPTED')))).toEqual(RECORDED);
  expect(await placesOf(id)).toEqual([]);
  const { organizer, uid } = invitation;
  const notice = await lastInvitation();
  expect(notice).toMatchObject({ method: 'CANCEL', organizer, uid });
  expect(notice.text).toContain('Reason: You can’t register for this event now.');
});

test('a yes to the new date of a postponed event is answered with when it takes registrations again', async () => {
  const { id } = await announce();
  expect((await world.call('POST', `${E}/${id}/postpone`, DELAY)).status).toBe(200);
  const moved = await lastInvitation();
  expect(moved).toMatchObject({ method: 'REQUEST', partstat: 'NEEDS-ACTION' });
  expect(await receive(googleReply(answerTo(moved, 'ACCEPTED')))).toEqual(RECORDED);
  expect((await lastInvitation()).text).toContain(
    'Reason: The event was postponed. We will write to you when you can register for the new date.',
  );
});

test('a cancellation reaches the calendar of a person who was invited but is not registered', async () => {
  const { id, invitation } = await announce();
  const preview = await world.call('POST', `${E}/${id}/cancel?dry_run=true`, { reason: 'Storm' });
  const invited = await world.deliveries({ event_id: id, channel: 'email', status: 'sent' });
  expect(preview.body).toMatchObject({ audience: { email: { told: invited.length } } });
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
  const { organizer, uid } = invitation;
  expect(await lastInvitation()).toMatchObject({ method: 'CANCEL', organizer, uid });
  expect(await receive(outlookReply(answerTo(invitation, 'ACCEPTED')))).toEqual(RECORDED);
  const notice = await lastInvitation();
  expect(notice).toMatchObject({ method: 'CANCEL', organizer, uid });
  expect(notice.text).toContain('Reason: The event was cancelled.');
});

test('the dates of a series as a file and the confirmation of one of them have the same organizer', async () => {
  const { body } = await world.call('POST', E, {
    ...draft({ registration_type: 'optional', target_audience: ['parents'] }),
    is_recurring: true,
    recurrence_pattern: 'weekly',
    recurrence_count: 2,
  });
  expect((await world.call('POST', `${E}/${body.id}/publish?scope=all`)).status).toBe(200);
  const dates = await lastInvitation();
  expect(dates.method).toBe('PUBLISH');
  await world.call('POST', `${E}/${body.id}/registrations`, { kind: 'attendee', user_id: eva.user_id });
  const { organizer, uid } = dates;
  expect(await lastInvitation()).toMatchObject({ method: 'REQUEST', organizer, uid });
});

test('an event that takes place after a postponement has the organizer of the invitation', async () => {
  const { id, invitation } = await announce();
  expect((await world.call('POST', `${E}/${id}/postpone`, DELAY)).status).toBe(200);
  const { organizer, uid } = invitation;
  expect(await lastInvitation()).toMatchObject({ organizer, uid });
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  expect(await lastInvitation()).toMatchObject({ method: 'PUBLISH', organizer, uid });
});

test('a yes to the entry of a child does not register the parent, also after a postponement', async () => {
  const child = contactOf(3, { user_id: 'anna', email: null, roles: ['student'], guardians: [eva.user_id] });
  await putPeople(world, [child]);
  const { id, invitation } = await announce();
  await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'anna', override: true });
  const ofChild = { method: 'REQUEST', uid: invitation.uid, organizer: 'events@school.example', partstat: 'ACCEPTED' };
  const confirmation = await lastInvitation();
  expect(confirmation).toMatchObject(ofChild);
  expect((await world.call('POST', `${E}/${id}/postpone`, DELAY)).status).toBe(200);
  expect(await lastInvitation()).toMatchObject(ofChild);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  const announcement = await lastInvitation();
  expect(announcement).toMatchObject(ofChild);
  for (const entry of [confirmation, announcement])
    expect(await receive(googleReply(answerTo(entry, 'ACCEPTED')))).toEqual(PASSED_OVER);
  expect(await placesOf(id)).toEqual([]);
});

test('a no about one date of a series cancels that date alone', async () => {
  const { body } = await world.call('POST', E, {
    ...draft({ registration_type: 'optional', target_audience: ['parents'], timezone: 'Europe/Prague' }),
    is_recurring: true,
    recurrence_pattern: 'weekly',
    recurrence_count: 3,
  });
  const id = String(body.id);
  expect((await world.call('POST', `${E}/${id}/publish?scope=all`)).status).toBe(200);
  const dates = (await world.call('GET', `${E}/${id}/occurrences`)).body.data as unknown as {
    id: string;
    start_date: string;
  }[];
  for (const date of dates) {
    await world.call('POST', `${E}/${date.id}/registrations`, { kind: 'attendee', user_id: eva.user_id });
    await untilIdle(world);
  }
  const invitation = await lastInvitation();
  expect(invitation).toMatchObject({ uid: `${id}@schoolbell`, partstat: 'ACCEPTED' });
  expect(await receive(googleReply(answerTo(invitation, 'DECLINED')))).toEqual(RECORDED);
  // Outlook names the date on its own clock, in a zone that only Windows knows.
  const recurrence = `RECURRENCE-ID;TZID=Central Europe Standard Time:${dates[1]?.start_date.replaceAll('-', '')}T180000`;
  expect(await receive(outlookReply({ ...answerTo(invitation, 'DECLINED'), recurrence }))).toEqual(RECORDED);
  const places = await Promise.all(dates.map((date) => placesOf(date.id)));
  expect(places).toEqual([['confirmed'], ['cancelled'], ['cancelled']]);
});

test('a no about a date of a series counts also if its first date was deleted', async () => {
  const { body } = await world.call('POST', E, {
    ...draft({ registration_type: 'optional', target_audience: ['parents'] }),
    is_recurring: true,
    recurrence_pattern: 'weekly',
    recurrence_count: 2,
  });
  const dates = (await world.call('GET', `${E}/${body.id}/occurrences`)).body.data as unknown as { id: string }[];
  const second = String(dates[1]?.id);
  await world.call('POST', `${E}/${second}/publish`);
  await world.call('POST', `${E}/${second}/registrations`, { kind: 'attendee', user_id: eva.user_id });
  const invitation = await lastInvitation();
  expect((await world.call('DELETE', `${E}/${body.id}`)).status).toBe(204);
  expect(await receive(googleReply(answerTo(invitation, 'DECLINED')))).toEqual(RECORDED);
  expect(await placesOf(second)).toEqual(['cancelled']);
});

test('a mail that proves no invitation changes nothing', async () => {
  const { id, invitation } = await announce();
  const { invitation: other } = await announce();
  const answer = answerTo(invitation, 'ACCEPTED');
  const { to } = answer;
  const tampered = to.replace(/.@/, (last) => (last === '0@' ? '1@' : '0@'));
  for (const wrong of [
    { to: tampered },
    { to: eva.email },
    { uid: other.uid },
    { method: 'REQUEST' },
    { recurrence: 'RECURRENCE-ID:20260907T160000Z' },
  ]) {
    expect(await receive(googleReply({ ...answer, ...wrong }))).toEqual(PASSED_OVER);
  }
  expect(await placesOf(id)).toEqual([]);
  const left = contactOf(2, { ...eva, roles: ['parent'], left_at: new Date() });
  await putPeople(world, [left]);
  expect(await receive(googleReply(answer))).toEqual(PASSED_OVER);
});
