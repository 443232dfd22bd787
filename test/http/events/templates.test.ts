import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/events/limits.ts';
import { renameTemplate } from '../../../src/events/templates.ts';
import { isReadable } from '../../../src/files/remove-unused.ts';
import type { Scope } from '../../../src/people/caller.ts';
import { aCaller, SCOPE } from '../../support/builders.ts';
import { E, PARENT, provideHttp, STAFF, valuesOf } from '../../support/http/http-app.ts';

const { ask, given, deps, now } = await provideHttp();

const TEMPLATES = '/api/v1/operations/event-templates';
const WEEKLY = {
  start_date: '2026-10-05',
  end_date: '2026-10-06',
  registration_deadline: new Date('2026-10-03T18:00:00Z'),
  recurrence_end_date: '2026-10-20',
  is_recurring: true,
  recurrence_pattern: 'weekly',
} as const;

describe('a template of events', () => {
  it('keeps the fields of an event, also after the event is changed and deleted', async () => {
    const event = await given({ title: 'Class meeting', tags: ['5.A'], location_name: 'Aula', is_featured: true });
    const saved = await ask(STAFF, 'POST', `${E}/${event.id}/template`, { payload: { name: 'Meeting' } });
    expect(saved).toMatchObject({ status: 201, body: { name: 'Meeting', title: 'Class meeting' } });
    await ask(STAFF, 'PATCH', `${E}/${event.id}`, { payload: { title: 'Another' } });
    const payload = { start_date: '2027-01-12' };
    const made = await ask(STAFF, 'POST', `${TEMPLATES}/${saved.body.id}/events`, { payload });
    expect(made).toMatchObject({
      status: 201,
      body: {
        status: 'draft',
        title: 'Class meeting',
        tags: ['5.A'],
        location_name: 'Aula',
        is_featured: false,
        start_date: '2027-01-12',
        duplicated_from_id: null,
      },
    });
    expect(made.headers.location).toBe(`${E}/${made.body.id}`);
  });

  it('creates a series on another date, whose end and deadline move by as many days', async () => {
    const { id } = await given({ ...WEEKLY, title: 'Club' });
    const { body: template } = await ask(STAFF, 'POST', `${E}/${id}/template`, { payload: { name: 'Club' } });
    const payload = { start_date: '2027-02-01', title: 'Chess club' };
    const { body } = await ask(STAFF, 'POST', `${TEMPLATES}/${template.id}/events`, { payload });
    expect(body).toMatchObject({
      title: 'Chess club',
      end_date: '2027-02-02',
      registration_deadline: '2027-01-30T18:00:00.000Z',
      recurrence_end_date: '2027-02-16',
    });
    const { body: dates } = await ask(STAFF, 'GET', `${E}/${body.id}/occurrences`);
    expect(dates.data).toHaveLength(3);
  });

  it('has a name of its own in the school', async () => {
    const { id } = await given({});
    const save = (name: string) => ask(STAFF, 'POST', `${E}/${id}/template`, { payload: { name } });
    const { body } = await save('Trip');
    await save('Ball');
    expect((await save(' Trip ')).body.errors).toMatchObject([{ pointer: '/name', rule: 'name_taken' }]);
    const rename = (name: string) => ask(STAFF, 'PATCH', `${TEMPLATES}/${body.id}`, { payload: { name } });
    expect((await rename('Ball')).body.errors).toMatchObject([{ pointer: '/name', rule: 'name_taken' }]);
    expect((await rename('Trip')).status).toBe(200);
  });

  it('keeps no name of a person who is erased while it is renamed', async () => {
    const { id } = await given({ organizer_id: 'eva', organizer: { type: 'staff', name: 'Eva Nová' } });
    const { body: template } = await ask(STAFF, 'POST', `${E}/${id}/template`, { payload: { name: 'Trip' } });
    const eventTemplates = {
      ...deps.eventTemplates,
      list: async (scope: Scope) => {
        await deps.traces.erase(scope, 'eva', { alias: 'erased-1', gone: { status: 404, headers: {}, body: '' } });
        return deps.eventTemplates.list(scope);
      },
    };
    const renamed = await renameTemplate({ ...deps, eventTemplates }, aCaller(), template.id, 'Excursion');
    expect(renamed).toMatchObject({ name: 'Excursion', organizer_id: 'erased-1', organizer: { type: 'staff' } });
    expect(renamed.organizer).not.toHaveProperty('name');
    expect(await deps.eventTemplates.find(aCaller(), template.id)).toEqual(renamed);
  });

  it('is listed by name, renamed and deleted by all who create events in the school, and by no one else', async () => {
    const { id } = await given({});
    const save = async (name: string) =>
      (await ask(STAFF, 'POST', `${E}/${id}/template`, { payload: { name } })).body.id;
    const [trip, ball] = [await save('Trip'), await save('Ball')];
    const names = async (who = STAFF) => valuesOf(await ask(who, 'GET', TEMPLATES), 'name');
    expect(await names()).toEqual(['Ball', 'Trip']);
    const renamed = await ask(STAFF, 'PATCH', `${TEMPLATES}/${trip}`, { payload: { name: 'A trip' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'A trip' } });
    expect(await names({ ...STAFF, school_id: 's2' })).toEqual([]);
    expect((await ask({ ...STAFF, school_id: 's2' }, 'DELETE', `${TEMPLATES}/${ball}`)).status).toBe(404);
    expect((await ask(STAFF, 'DELETE', `${TEMPLATES}/${ball}`)).status).toBe(204);
    expect(await names()).toEqual(['A trip']);
    expect((await ask(PARENT, 'GET', TEMPLATES)).status).toBe(403);
  });

  it('is refused without a name, without a date and beyond the limit, naming field and rule', async () => {
    const { id } = await given({});
    const save = (name: string) => ask(STAFF, 'POST', `${E}/${id}/template`, { payload: { name } });
    expect((await save(' ')).body.errors).toMatchObject([{ pointer: '/name', rule: 'line' }]);
    const { body: template } = await save('Trip');
    const dateless = await ask(STAFF, 'POST', `${TEMPLATES}/${template.id}/events`, { payload: {} });
    expect(dateless.body.errors).toMatchObject([{ pointer: '/start_date', rule: 'required' }]);
    const stored = await deps.eventTemplates.find(SCOPE, template.id);
    for (let n = 1; n < LIMITS.templates && stored; n++)
      await deps.eventTemplates.insert({ ...stored, id: `copy-${n}` });
    expect((await save('One more')).body.errors).toMatchObject([{ pointer: '/name', rule: 'maxItems' }]);
  });

  it.each(['attachments', 'image_url', 'banner_url'])('keeps a file that it uses in %s', async (field) => {
    const query = 'name=Programme.pdf';
    const { body: file } = await ask(STAFF, 'POST', `/api/v1/operations/files?${query}`, {
      payload: Buffer.from('%PDF-1.7\n%%EOF'),
      headers: { 'content-type': 'application/octet-stream' },
    });
    const { id } = await given({ status: 'draft', [field]: field === 'attachments' ? [file] : file.url });
    await ask(STAFF, 'POST', `${E}/${id}/template`, { payload: { name: 'Trip' } });
    await ask({ ...STAFF, permissions: ['events.delete'] }, 'DELETE', `${E}/${id}`);
    now.at = new Date(now.at.getTime() + 3 * 86_400_000);
    const stored = await deps.files.find(file.url.split('/').at(-2));
    expect(stored && (await isReadable(deps, stored))).toBe(true);
  });
});
