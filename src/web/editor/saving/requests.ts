import { api, unwrap } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import type { SchoolEvent } from '../../api/types.ts';
import type { Scope } from '../../event-parts/scope-choice.tsx';

/** An event with the ETag that its next edit must send. */
export type Tagged = { event: SchoolEvent; etag: string };

export type Patch = Record<string, unknown>;

/** How an edit is saved. `registered_dates`: what happens to dates with registrations that a new rule does not have. */
export type SaveOptions = { scope?: Scope; notify?: boolean; registered_dates?: 'keep' | 'cancel' };

const EVENTS = '/api/v1/operations/events';
const ONE = `${EVENTS}/{id}` as const;

/** @throws ApiError */
export async function tagged(asked: Promise<{ data?: unknown; error?: unknown; response: Response }>): Promise<Tagged> {
  const event = (await unwrap(asked)) as SchoolEvent;
  return { event, etag: (await asked).response.headers.get('etag') ?? '' };
}

export const loadTagged = (id: string): Promise<Tagged> => tagged(api.GET(ONE, { params: { path: { id } } }));

export const createTagged = (body: Patch): Promise<Tagged> => tagged(api.POST(EVENTS, { body: body as never }));

/** Sends an edit, or previews it. */
export const sendPatch = ({ event, etag }: Tagged, patch: Patch, how: SaveOptions & { dry_run?: true } = {}) =>
  api.PATCH(ONE, {
    params: { path: { id: event.id }, query: { scope: 'this', ...how }, header: { 'if-match': etag } },
    body: patch as never,
  });

/** Conflicts with registrations that a change of one field would resolve. */
const OF_FIELDS: readonly (string | null)[] = ['capacity_below_occupied', 'slots_in_use'];

/** Whether an error belongs to fields of the form. */
export const isAboutFields = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 422 || OF_FIELDS.includes(error.code));
