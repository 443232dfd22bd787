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

/** Every operation of the OpenAPI document, with a valid body and its second permission, if any. */
export const ENTRIES: Record<string, [Kind, body?: object, also?: string]> = {
  'POST /api/v1/operations/events': [
    'writes',
    { title: 'Theirs', event_type: 'cultural', start_date: '2026-12-01', end_date: '2026-12-01' },
  ],
  'GET /api/v1/operations/events': ['events'],
  'GET /api/v1/operations/events/calendar': ['events'],
  'GET /api/v1/operations/events/statistics': ['events'],
  'GET /api/v1/operations/events/options': ['listed'],
  'GET /api/v1/operations/events/occurrences': ['computed'],
  'GET /api/v1/operations/events/groups': ['events'],
  'GET /api/v1/operations/people': ['listed'],
  'GET /api/v1/operations/events/{id}': ['event'],
  'GET /api/v1/operations/events/{id}/event.ics': ['event'],
  'GET /api/v1/operations/events/{id}/occurrences': ['event'],
  'PATCH /api/v1/operations/events/{id}': ['event', { title: 'x' }],
  // Deleting an event that is not a draft needs a second permission.
  'DELETE /api/v1/operations/events/{id}': ['event', undefined, 'events.delete.any'],
  'POST /api/v1/operations/events/{id}/duplicate': ['event', {}],
  'POST /api/v1/operations/events/{id}/schedule': ['event', {}],
  'POST /api/v1/operations/events/{id}/return': ['event', {}],
  'POST /api/v1/operations/events/{id}/publish': ['event'],
  'POST /api/v1/operations/events/{id}/unpublish': ['event'],
  'POST /api/v1/operations/events/{id}/cancel': ['event', { reason: 'x' }],
  'POST /api/v1/operations/events/{id}/postpone': ['event', { reason: 'x', new_start_date: '2026-11-01' }],
  'POST /api/v1/operations/events/{id}/start': ['event'],
  'POST /api/v1/operations/events/{id}/complete': ['event'],
  'GET /api/v1/operations/events/{id}/timeline': ['event'],
  'GET /api/v1/operations/events/{id}/reminders': ['event'],
  'GET /api/v1/operations/events/{id}/deliveries': ['event'],
  'GET /api/v1/operations/events/{id}/deliveries/summary': ['event'],
  'POST /api/v1/operations/events/{id}/registrations': ['event', { kind: 'attendee' }],
  'GET /api/v1/operations/events/{id}/registrations': ['event'],
  'GET /api/v1/operations/events/{id}/registrations/{rid}': ['event'],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/cancel': ['event', {}],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/decline': ['event', { reason: 'x' }],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/confirm': ['event', {}],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/check_in': ['event', {}],
  'GET /api/v1/operations/events/{id}/registrations/counts': ['event'],
  'GET /api/v1/operations/events/{id}/registrations/export': ['event'],
  'GET /api/v1/operations/events/{id}/registrations/mine': ['event'],
  'POST /api/v1/operations/events/{id}/registrations/cancel': ['event', { registration_ids: ['r1'] }],
  'POST /api/v1/operations/events/{id}/registrations/messages': [
    'event',
    { subject: 'Boots', body: 'Bring them.', channels: ['in_app'] },
  ],
  'GET /api/v1/operations/events/{id}/waitlist': ['event'],
  'PUT /api/v1/operations/contacts/{user_id}': ['writes', { name: 'theirs' }],
  'GET /api/v1/operations/contacts/{user_id}': ['named'],
  'DELETE /api/v1/operations/contacts/{user_id}': ['named'],
  'POST /api/v1/operations/contacts/import': ['writes'],
  'POST /api/v1/ingest': ['writes'],
  'GET /api/v1/operations/school': ['listed'],
  'PUT /api/v1/operations/school': ['writes', { name: 'theirs', timezone: 'UTC', locale: 'en' }],
  'GET /api/v1/operations/queues': ['listed'],
  'GET /api/v1/operations/deliveries': ['listed'],
  // Bulk actions select rows as lists do, and none of another school.
  'POST /api/v1/operations/deliveries/retry': ['listed', { from: '2000-01-01T00:00:00Z' }],
  'POST /api/v1/operations/deliveries/{delivery_id}/reveal': ['named'],
  'GET /api/v1/operations/quarantine': ['listed'],
  'POST /api/v1/operations/quarantine/{delivery_id}/redrive': ['named'],
  'POST /api/v1/operations/quarantine/{delivery_id}/discard': ['named'],
  'GET /api/v1/operations/suppressions': ['listed'],
  'DELETE /api/v1/operations/suppressions/{suppression_id}': ['named'],
  'POST /api/v1/operations/suppressions/lift': ['listed', { from: '2000-01-01T00:00:00Z' }],
  'GET /api/v1/me': ['own'],
  'GET /api/v1/me/inbox': ['own'],
  'POST /api/v1/me/inbox/{id}/read': ['named'],
  'POST /api/v1/me/inbox/{id}/archive': ['named'],
  'POST /api/v1/me/inbox/{id}/unarchive': ['named'],
  'POST /api/v1/me/inbox/read_all': ['own'],
  'POST /api/v1/me/inbox/seen': ['own'],
  'GET /api/v1/me/inbox/stream': ['own'],
  'GET /api/v1/me/settings': ['own'],
  'GET /api/v1/me/preferences': ['own'],
  'PUT /api/v1/me/preferences': ['own', { opted_out: [] }],
  'POST /api/v1/me/push_subscriptions': [
    'own',
    {
      endpoint: 'https://fcm.googleapis.com/theirs',
      keys: {
        p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url'),
        auth: 'AAAAAAAAAAAAAAAAAAAAAA',
      },
    },
  ],
  'DELETE /api/v1/me/push_subscriptions': ['own', { endpoint: 'https://fcm.googleapis.com/canary' }],
  'POST /api/v1/me/feed': ['own'],
  'GET /api/v1/me/feed': ['own'],
  'DELETE /api/v1/me/feed': ['own'],
  'GET /api/v1/public/schools/{school_id}': ['open'],
  'GET /api/v1/public/schools/{school_id}/events': ['open'],
  'GET /api/v1/public/schools/{school_id}/events/{id}': ['open'],
  'GET /api/v1/public/schools/{school_id}/calendar.ics': ['open'],
  'GET /feeds/{token}.ics': ['open'],
  'GET /problems/{code}': ['open'],
  'GET /client-config': ['open'],
  'GET /health/live': ['open'],
  'GET /health/ready': ['open'],
};
