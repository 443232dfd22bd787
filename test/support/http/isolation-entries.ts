/** The kind of a route, which decides how its isolation is checked. */
export type Kind =
  /** names an event, which does not exist for callers who may not see it */
  | 'event'
  /** names another resource of a school or a person */
  | 'named'
  /** lists events that the caller sees */
  | 'events'
  /** lists other things of the caller's school */
  | 'listed'
  /** writes into the caller's own school */
  | 'writes'
  /** reads or writes the caller's own things */
  | 'own'
  /** answers from the request alone */
  | 'computed'
  /** needs no token */
  | 'open';

/** Of one operation what does not follow from its address: its kind, a valid body, and a second permission that it needs. */
type Entry = { kind?: Kind; body?: object; also?: string };

const under = (prefix: string, entries: Record<string, Entry>): Record<string, Entry> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name.replace(' ', ` ${prefix}`), entry]));

/** The operations that need more than their address says. Every other one has no body, or an empty one. */
export const ENTRIES: Record<string, Entry> = {
  ...under('/api/v1/operations', {
    'POST /events': {
      kind: 'writes',
      body: { title: 'Theirs', event_type: 'cultural', start_date: '2026-12-01', end_date: '2026-12-01' },
    },
    'GET /events': { kind: 'events' },
    'GET /events/calendar': { kind: 'events' },
    'GET /events/statistics': { kind: 'events' },
    'GET /events/occurrences': { kind: 'computed' },
    'GET /events/groups': { kind: 'events' },
    'PATCH /events/{id}': { body: { title: 'x' } },
    // Deleting an event that is not a draft needs a second permission.
    'DELETE /events/{id}': { also: 'events.delete.any' },
    'POST /events/{id}/template': { body: { name: 'x' } },
    'PATCH /event-templates/{template_id}': { body: { name: 'x' } },
    'POST /event-templates/{template_id}/events': { body: { start_date: '2027-10-01' } },
    'POST /events/{id}/cancel': { body: { reason: 'x' } },
    'POST /events/{id}/postpone': { body: { reason: 'x', new_start_date: '2026-11-01' } },
    // The change is a cancellation.
    'POST /changes/{change_id}/undo': { also: 'events.cancel' },
    'POST /events/{id}/registrations': { body: { kind: 'attendee' } },
    'POST /events/{id}/registrations/family': { body: { people: [{ kind: 'attendee' }] } },
    'PATCH /events/{id}/registrations/{rid}': { body: { notes: 'x' } },
    'PUT /events/{id}/registrations/{rid}/slots': { body: { slots: [] } },
    'POST /events/{id}/registrations/{rid}/decline': { body: { reason: 'x' } },
    'POST /events/{id}/check_in': { body: { code: '123456' } },
    'POST /events/{id}/registrations/cancel': { body: { registration_ids: ['r1'] } },
    'POST /events/{id}/registrations/messages': {
      body: { subject: 'Boots', body: 'Bring them.', channels: ['in_app'] },
    },
    'PUT /contacts/{user_id}': { kind: 'writes', body: { name: 'theirs' } },
    'POST /roster/columns': { kind: 'computed' },
    'POST /roster/import': { kind: 'writes' },
    'POST /contacts/import': { kind: 'writes' },
    'POST /files': { kind: 'writes' },
    'PUT /school': { kind: 'writes', body: { name: 'theirs', timezone: 'UTC', locale: 'en' } },
    'POST /outside-calendars': { kind: 'writes', body: { name: 'theirs', url: 'https://a.test/' } },
    'POST /webhooks': { kind: 'writes', body: { url: 'https://a.test/', types: ['event.published'] } },
    'PATCH /webhooks/{webhook_id}': { body: { enabled: false } },
    // Refused to the outsiders, whom no directory has.
    'POST /school/texts/{trigger}/test': { kind: 'computed', body: { channel: 'in_app', locale: 'en' } },
    'GET /school/texts/{trigger}': { kind: 'listed' },
    'POST /messages': { kind: 'writes', body: { subject: 'theirs', body: 'Closed.', channels: ['in_app'] } },
    'POST /saved-texts': { kind: 'writes', body: { name: 'theirs', subject: 'x', body: 'x' } },
    'PUT /saved-texts/{text_id}': { body: { name: 'theirs', subject: 'x', body: 'x' } },
    'POST /queues/board': { kind: 'computed' },
    // Bulk actions select rows as lists do, and none of another school.
    'POST /deliveries/retry': { body: { from: '2000-01-01T00:00:00Z' } },
    'POST /suppressions/lift': { body: { from: '2000-01-01T00:00:00Z' } },
  }),
  'POST /api/v1/ingest': { kind: 'writes' },
  'GET /api/v1/me/acknowledgements/{event_id}': { kind: 'own' },
  'PUT /api/v1/me/preferences': { body: { opted_out: [] } },
  'POST /api/v1/me/push_subscriptions': {
    body: {
      endpoint: 'https://fcm.googleapis.com/theirs',
      keys: {
        p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url'),
        auth: 'AAAAAAAAAAAAAAAAAAAAAA',
      },
    },
  },
  'DELETE /api/v1/me/push_subscriptions': { body: { endpoint: 'https://fcm.googleapis.com/canary' } },
  'GET /api/v1/public/schools/{school_id}': { kind: 'open' },
  'GET /api/v1/public/schools/{school_id}/events': { kind: 'open' },
  'GET /api/v1/public/schools/{school_id}/events/{id}': { kind: 'open' },
  'GET /api/v1/public/schools/{school_id}/calendar.ics': { kind: 'open' },
  'GET /api/v1/public/schools/{school_id}/events.rss': { kind: 'open' },
  'GET /feeds/{token}.ics': { kind: 'open' },
  'GET /problems/{code}': { kind: 'open' },
  'GET /files/{id}/{name}': { kind: 'open' },
  'GET /client-config': { kind: 'open' },
  'GET /health/live': { kind: 'open' },
  'GET /health/ready': { kind: 'open' },
};

/** The kind of an operation, by its address the strictest one. */
export function kindOf({ name, path }: { name: string; path: string }): Kind {
  const { kind } = ENTRIES[name] ?? {};
  if (kind) return kind;
  if (path.startsWith('/api/v1/operations/events/{id}')) return 'event';
  if (path.includes('{')) return 'named';
  return path.startsWith('/api/v1/me') ? 'own' : 'listed';
}
