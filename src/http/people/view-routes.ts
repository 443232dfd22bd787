import { Type } from 'typebox';
import { notFound } from '../../core/errors.ts';
import { scopeOf } from '../../people/caller.ts';
import { loadContacts } from '../../people/find-people.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { nullable, stamp } from '../schemas/fields.ts';

const SHOWN = 20;

/** The route that lists who of the staff viewed the school as a person. */
export function viewRoutes(routes: Routes): void {
  routes.get(`${OPERATIONS}/contacts/:user_id/views`, {
    access: { permission: 'manage_contacts' },
    name: 'listContactViews',
    summary: 'List who viewed the school as a person',
    description: `The newest ${SHOWN} of the last year; each session of a member of staff counts once.`,
    answers: { 200: Type.Object({ data: Type.Array(VIEW_START) }, { description: 'Newest first' }) },
    result: async ({ contacts, viewStarts }, caller, { params: { user_id } }) => {
      const scope = scopeOf(caller);
      if (!(await contacts.find(scope, user_id))) throw notFound();
      const starts = await viewStarts.listOfPerson(scope, user_id, SHOWN);
      const staff = starts.map(({ by }) => by);
      const people = await loadContacts({ contacts }, scope, staff);
      return { data: starts.map(({ by, at }) => ({ user_id: by, name: people.get(by)?.name ?? null, at })) };
    },
  });
}

const VIEW_START = Type.Object({
  user_id: Type.String({ description: 'The member of staff.' }),
  name: nullable(Type.String()),
  at: stamp,
});
