import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { contentFor } from './texts-samples.ts';
import { lf, received, unfolded, written } from './written-mail.ts';

describe('a calendar object in the mail', () => {
  test('is an alternative with its method and an attached file, both with the reader as attendee', async () => {
    const raw = written(contentFor('registration.confirmed'));
    expect(raw).toMatch(/^Content-Type: multipart\/mixed;/m);
    expect(raw).toContain('\r\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\r\n');
    const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
    const file = mail.attachments.find((one) => one.filename === 'invite.ics');
    expect(file).toMatchObject({ mimeType: 'application/ics', disposition: 'attachment' });
    expect(mail.attachments).toHaveLength(2);
    const [inline, saved] = mail.attachments.map((one) => lf(String(one.content)));
    expect(inline).toBe(saved);
    expect(unfolded(inline ?? '')).toContain('PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:jana@home.example\n');
  });

  test('is saved as a file with the line ends of RFC 5545', () => {
    const raw = written(contentFor('registration.confirmed'));
    const body = raw.slice(
      raw.indexOf('\r\n\r\n', raw.indexOf('filename="invite.ics"')) + 4,
      raw.lastIndexOf('\r\n--='),
    );
    expect(body.replaceAll('=\r\n', '')).not.toContain('\r\n');
    const file = body
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    expect(file).toMatch(/^BEGIN:VCALENDAR\r\n.*\r\nMETHOD:REQUEST\r\n.*\r\nEND:VCALENDAR\r\n$/s);
  });

  test('is folded if the address of the reader is long', async () => {
    const address = `${'a'.repeat(60)}=x@${'sub.'.repeat(40)}example`;
    const raw = written(contentFor('event.postponed'), {}, { address });
    const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
    for (const { content } of mail.attachments) {
      for (const line of lf(String(content)).split('\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(unfolded(lf(String(content)))).toContain(`:mailto:${address}\n`);
    }
  });

  const attendee = { reply_to: `reply+${'0a'.repeat(28)}@reply.school.example`, partstat: 'NEEDS-ACTION' } as const;
  const attendeeAndOrganizer = async (raw: string) => {
    const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
    const calendars = mail.attachments.map(({ content }) => unfolded(lf(String(content))).split('\n'));
    return calendars.map((lines) => lines.filter((line) => /^(?:ORGANIZER|ATTENDEE)/.test(line)));
  };

  test('asks the reader for an answer to an address of their own', async () => {
    const invited = written(contentFor('event.published', { invites: true }), {}, { attendee });
    const expected = [
      `ORGANIZER;CN="ZŠ Lipová":mailto:${attendee.reply_to}`,
      'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:jana@home.example',
    ];
    expect(await attendeeAndOrganizer(invited)).toEqual([expected, expected]);
  });

  test('names the sender as organizer if the reader’s calendar can’t answer', async () => {
    const expected = [
      'ORGANIZER;CN="ZŠ Lipová":mailto:school@school.example',
      'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:jana@home.example',
    ];
    const raw = written(contentFor('registration.confirmed', { invites: true }));
    expect(await attendeeAndOrganizer(raw)).toEqual([expected, expected]);
  });

  test('is only in the announcements of those who are invited', async () => {
    const content = contentFor('event.published', { invites: true });
    const other = { reply_to: null, partstat: null };
    expect((await received(written(content, {}, { attendee: other }))).attachments).toEqual([]);
    expect((await received(written(content, {}, { attendee }))).attachments).toHaveLength(2);
  });

  test('shows readers who don’t attend as such: they get the dates as a file of the same organizer', async () => {
    const raw = written(contentFor('event.changed'), {}, { attendee: { ...attendee, partstat: null } });
    expect(raw).not.toContain('method=');
    const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['dates.ics']);
    expect(mail.attachments[0]?.content).toContain('METHOD:PUBLISH');
    expect(mail.attachments[0]).toMatchObject({ mimeType: 'text/calendar', disposition: 'attachment' });
    expect(await attendeeAndOrganizer(raw)).toEqual([[`ORGANIZER;CN="ZŠ Lipová":mailto:${attendee.reply_to}`]]);
  });

  test('is stamped with the time at which the message was drafted, so that calendars know the latest', async () => {
    const raw = written(contentFor('registration.confirmed'), {}, { draftedAt: new Date('2026-08-21T06:00:07.400Z') });
    const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
    for (const { content } of mail.attachments) expect(lf(String(content))).toContain('\nDTSTAMP:20260821T060007Z\n');
  });

  test('is named cancel.ics if it removes the event from calendars', async () => {
    const mail = await received(written(contentFor('event.cancelled')));
    expect(mail.attachments.map((one) => one.filename)).toContain('cancel.ics');
  });

  test('is left out if no calendar has to change', async () => {
    for (const trigger of ['event.published', 'reminder.due', 'event.starting'] as const) {
      const raw = written(contentFor(trigger));
      expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
      expect((await received(raw)).attachments).toEqual([]);
    }
  });
});
