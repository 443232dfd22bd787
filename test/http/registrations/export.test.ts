import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { signToken } from '../../../src/http/auth/token.ts';
import { aContact, aSchool } from '../../support/builders.ts';
import { callerOf, E, PARENT, provideHttp, STAFF, TOKENS, type Who } from '../../support/http/http-app.ts';

const { app, ask, given, tables } = await provideHttp();

const person = (user_id: string): Who => ({ ...PARENT, user_id });
const CZECH = { headers: { 'accept-language': 'cs' } };

/** An event with the registrations of a student without an address, and of a person with a formula as note. */
async function eventWith(): Promise<string> {
  await tables.schools.put({ ...aSchool(), timezone: 'Europe/Prague', locale: 'en' });
  const student = { roles: ['student' as const], class_ids: ['class-5a'], guardians: ['jana', 'petr', 'gone'] };
  await tables.contacts.put(
    aContact('eva', { ...student, name: 'Eva Malá; 5. A', email: null, phone: null }),
    aContact('jana', { roles: ['parent'], name: 'Jana Malá', email: 'jana@people.example', phone: '+420601000001' }),
    aContact('gone', { roles: ['parent'], email: 'gone@people.example', left_at: new Date() }),
    aContact('petr', { roles: ['parent'], name: 'Petr Malý', email: 'petr@people.example', phone: '+420601000001' }),
  );
  const url = `${E}/${(await given({ max_attendees: 9 })).id}/registrations`;
  const body = { kind: 'volunteer', user_id: 'eva' };
  await ask({ ...person('jana'), children: ['eva'] }, 'POST', url, { payload: body });
  const notes = '=HYPERLINK("http://evil")\nand, more';
  const contact = { phone: '+420601234567', email: 'a@people.example' };
  await ask(person('a'), 'POST', url, { payload: { kind: 'attendee', notes, contact } });
  return url;
}

/** The text of the sheet and of its strings. */
function textOf(workbook: Buffer): { sheet: string; strings: string } {
  const files = unzipSync(workbook);
  const read = (end: string) => {
    const name = Object.keys(files).find((one) => one.endsWith(end));
    return new TextDecoder().decode(name ? files[name] : undefined);
  };
  return { sheet: read('worksheets/sheet1.xml'), strings: read('sharedStrings.xml') };
}

describe('the export of registrations', () => {
  it('has names, classes, the addresses in use and the time of the school, and no formulas', async () => {
    const url = await eventWith();
    const { text, headers } = await ask(STAFF, 'GET', `${url}/export?status=confirmed`);
    expect(headers['content-type']).toContain('text/csv');
    const [head, eva] = text.split('\r\n');
    expect(head).toBe(
      '\ufeffName,Class,Email,Phone,Taking part as,Status,Waitlist position,Note,Registered,Registered by,Confirmed,' +
        'Checked in,Cancelled,Reason for cancelling',
    );
    // The clock of the tests is at 8:00 UTC, which is 10:00 in Prague.
    expect(eva).toBe(
      `"Eva Malá; 5. A",5A,"jana@people.example, petr@people.example",'+420601000001,Volunteer,Confirmed,,,` +
        '01/09/2026 10:00,Jana Malá,01/09/2026 10:00,,,',
    );
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")\nand, more"`);
    expect(text).toContain(",'+420601234567,");
  });

  it('has the address of a guardian whom only the token names, as messages do', async () => {
    await tables.contacts.put(aContact('dana', { roles: ['parent'], email: 'dana@people.example' }));
    const url = `${E}/${(await given()).id}/registrations`;
    await ask({ ...person('dana'), children: ['ota'] }, 'POST', url, { payload: { kind: 'attendee', user_id: 'ota' } });
    expect((await ask(STAFF, 'GET', `${url}/export`)).text).toContain('dana@people.example');
  });

  it('is separated by semicolons and worded in Czech for Czech readers', async () => {
    const url = await eventWith();
    const { text } = await ask(STAFF, 'GET', `${url}/export`, CZECH);
    const [head, eva] = text.split('\r\n');
    expect(head?.startsWith('\ufeffJméno;Třída;E-mail;Telefon;')).toBe(true);
    expect(eva?.startsWith('"Eva Malá; 5. A";5. A;"jana@people.example, petr')).toBe(true);
    expect(eva).toContain(';Dobrovolník;Potvrzeno;');
    expect(eva).toContain(';1.9.2026 10:00;');
  });

  it('is a workbook whose cells are text and dates, not formulas', async () => {
    const url = await eventWith();
    const authorization = `Bearer ${await signToken(TOKENS, callerOf(STAFF))}`;
    const asked = { url: `${url}/export.xlsx`, headers: { authorization, ...CZECH.headers } };
    const { headers, rawPayload } = await app.inject(asked);
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const { sheet, strings } = textOf(rawPayload);
    for (const words of ['Jméno', 'Eva Malá; 5. A', 'Dobrovolník', '=HYPERLINK(', '+420601234567'])
      expect(strings).toContain(words);
    expect(sheet).not.toContain('<f>');
    // 1 September 2026, 10:00, as a spreadsheet counts days.
    expect(sheet).toMatch(/<v>46266\.416666/);
  });

  it('contains what the filters and the search leave, and nothing for people who may not read registrations', async () => {
    const url = await eventWith();
    const rows = async (query: string) =>
      (await ask(STAFF, 'GET', `${url}/export?${query}`)).text.trim().split(/\r\n(?=.)/).length - 1;
    expect([await rows('status=pending'), await rows('kind=volunteer'), await rows('q=mala')]).toEqual([0, 1, 1]);
    for (const file of ['export', 'export.xlsx']) expect((await ask(PARENT, 'GET', `${url}/${file}`)).status).toBe(403);
  });
});
