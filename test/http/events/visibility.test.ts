import { describe, expect, test } from 'vitest';
import { groupBy } from '../../../src/core/groups.ts';
import { EVENT_STATUSES, type EventStatus, type SchoolEvent } from '../../../src/events/event.ts';
import { VISIBILITIES, type Visibility } from '../../../src/people/visibility.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { aRegistration } from '../../support/builders.ts';
import { E, provideHttp, type Served, type Who } from '../../support/http/http-app.ts';
import { eventsIn } from '../../support/read-ics.ts';

const served = await provideHttp();

/** docs/decisions.md, "Who sees what", by hand: one letter for each viewer who sees it. */
const VIEWERS: Record<string, Who> = {
  admin: { roles: ['admin'] },
  staff: { roles: ['staff'] },
  student: { roles: ['student'], class_ids: ['5a'] },
  'other student': { roles: ['student'], class_ids: ['5b'] },
  parent: { roles: ['parent'], children: ['anna'] },
  'other parent': { roles: ['parent'], children: ['petr'] },
  external: { roles: ['external'] },
  nobody: { roles: [] },
  editor: { roles: ['external'], permissions: ['events.view', 'events.update'] },
  organizer: { roles: ['external'], user_id: 'organizer' },
};

// The restricted event is for class 5a and, by name, for Anna, whose parent matches through her. The rules have tests of
// every level and status.
const TABLE = `
                admin staff student other-student parent other-parent external nobody editor organizer
internal        yes   yes   yes     yes           yes    yes          -        -      yes    yes
restricted      -     -     yes     -             yes    -            -        -      yes    yes
draft           -     -     -       -             -      -            -        -      yes    yes
scheduled       yes   yes   yes     yes           yes    yes          -        -      yes    yes
`;

type Cell = { row: string; viewer: string; sees: boolean };

function cells(table: string): Cell[] {
  const [head = '', ...rows] = table.trim().split('\n');
  const viewers = head.trim().split(/ +/);
  return rows.flatMap((line) => {
    const [row = '', ...marks] = line.trim().split(/ +/);
    return marks.map((mark, at) => ({ row, viewer: (viewers[at] ?? '').replace('-', ' '), sees: mark === 'yes' }));
  });
}

const rowsOf = (table: string) =>
  groupBy(cells(table), ({ row }) => row).map((own) => ({ row: own[0]?.row ?? '', cells: own }));

const whoIs = (viewer: string): Who => ({ user_id: viewer, permissions: ['events.view'], ...VIEWERS[viewer] });

/** Every surface with what it shows of one event to a viewer. The isolation tests ask every route below an event. */
const SURFACES: Record<string, (served: Served, id: string, who: Who) => Promise<boolean>> = {
  list: async ({ ask }, id, who) => holds((await ask(who, 'GET', E)).body.data, id),
  detail: async ({ ask }, id, who) => found(await ask(who, 'GET', `${E}/${id}`)),
  calendar: async ({ ask }, id, who) =>
    holds((await ask(who, 'GET', `${E}/calendar?date=2026-10-16`)).body.entries, id),
  statistics: async ({ ask }, _id, who) => (await ask(who, 'GET', `${E}/statistics`)).body.total === 1,
  feed: async ({ ask }, id, who) => {
    const { body } = await ask(who, 'POST', '/api/v1/me/feed');
    const { text } = await ask(null, 'GET', String(body.url).replace('https://school.test', ''));
    return eventsIn(text).some(({ uid }) => uid === `${id}@schoolbell`);
  },
};

const holds = (rows: { id: string }[], id: string): boolean => rows.some((row) => row.id === id);

function found({ status, body }: { status: number; body: { code?: string } }): boolean {
  if (status === 404) expect(body.code).toBe('not_found');
  return status !== 404;
}

/** A draft is on no calendar. A feed has no permission, so an editor's is that of their roles. */
function shownOn(surface: string, { row, viewer, sees }: Cell): boolean {
  const draft = row === 'draft';
  if (surface === 'calendar') return sees && !draft;
  if (surface !== 'feed') return sees;
  return sees && !draft && viewer !== 'editor';
}

async function given(visibility: Visibility, status: EventStatus): Promise<string> {
  const restricted_to = visibility === 'restricted' ? { class_ids: ['5a'], user_ids: ['anna'] } : null;
  return (await served.given({ visibility, status, restricted_to })).id;
}

describe.each(Object.entries(SURFACES))('on the surface %s', (surface, shows) => {
  test.each(rowsOf(TABLE))(
    'shows an event that is $row to the viewers in the table and to no others',
    async ({ row, cells: own }) => {
      const isLevel = row in VISIBILITIES;
      const id = await given(isLevel ? (row as Visibility) : 'public', isLevel ? 'published' : (row as EventStatus));
      for (const cell of own)
        expect([cell.viewer, await shows(served, id, whoIs(cell.viewer))]).toEqual([
          cell.viewer,
          shownOn(surface, cell),
        ]);
    },
  );
});

test('without a token only what is public and announced is shown', async () => {
  for (const visibility of Object.keys(VISIBILITIES) as Visibility[]) {
    for (const status of EVENT_STATUSES) {
      const id = await given(visibility, status);
      const shown = visibility === 'public' && status !== 'draft' && status !== 'scheduled';
      const answer = await served.ask(null, 'GET', `/api/v1/public/schools/s1/events/${id}`);
      expect(answer.status, `${visibility} ${status}`).toBe(shown ? 200 : 404);
      const list = await served.ask(null, 'GET', '/api/v1/public/schools/s1/events?limit=100');
      expect(holds(list.body.data, id)).toBe(shown);
    }
  }
});

describe('below an event that the caller may not see', () => {
  const CLERK: Who = {
    user_id: 'clerk',
    permissions: ['events.view', 'events.registrations.manage'],
    roles: ['staff'],
  };
  const PARENT: Who = { user_id: 'eva', permissions: ['events.view'], roles: ['parent'] };

  const registered = async (
    user_id: string,
    event: Partial<SchoolEvent>,
    status: Registration['status'] = 'confirmed',
  ) => {
    const { id } = await served.given({ registration_type: 'optional', ...event });
    await served.tables.registrations.put(aRegistration({ id: 'r1', event_id: id, user_id, status }));
    return `${E}/${id}`;
  };

  test('a registered person still sees an unpublished event and their registration', async () => {
    const url = await registered('eva', { status: 'draft' });
    for (const path of ['', '/timeline', '/event.ics', '/registrations/mine', '/registrations/r1'])
      expect((await served.ask(PARENT, 'GET', `${url}${path}`)).status, path).toBe(200);
    expect((await served.ask(CLERK, 'GET', url)).status).toBe(404);
  });

  test('a parent still sees the event that a child is registered for', async () => {
    const url = await registered('anna', { visibility: 'staff_only' });
    expect((await served.ask({ ...PARENT, children: ['anna'] }, 'GET', url)).status).toBe(200);
  });

  test('an ended registration shows itself, and no longer its event', async () => {
    const url = await registered('eva', { status: 'draft' }, 'cancelled');
    expect((await served.ask(PARENT, 'GET', url)).status).toBe(404);
    expect((await served.ask(PARENT, 'GET', `${url}/registrations/r1`)).status).toBe(200);
  });

  test('a registration of one’s own opens none of the routes of staff', async () => {
    const url = await registered('clerk', { visibility: 'students_only' });
    await served.tables.registrations.put(
      aRegistration({ id: 'r2', event_id: url.slice(E.length + 1), user_id: 'eva' }),
    );
    expect((await served.ask(CLERK, 'GET', url)).status).toBe(200);
    expect((await served.ask(CLERK, 'GET', `${url}/registrations`)).status).toBe(404);
    expect((await served.ask(CLERK, 'GET', `${url}/registrations/r2`)).status).toBe(404);
    expect((await served.ask(CLERK, 'POST', `${url}/registrations/r2/check_in`)).status).toBe(403);
  });
});
