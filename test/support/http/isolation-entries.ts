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

type Entries = Record<string, [Kind, access: string, body?: object, also?: string]>;

const under = (prefix: string, entries: Entries): Entries =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name.replace(' ', ` ${prefix}`), entry]));

/**
 * Every operation of the OpenAPI document, with the permission it requires, a valid body and a second permission, if any.
 * Written by hand: a new route needs an entry here.
 */
export const ENTRIES: Entries = {
  ...under('/api/v1/operations', {
    'POST /events': [
      'writes',
      'create_event',
      { title: 'Theirs', event_type: 'cultural', start_date: '2026-12-01', end_date: '2026-12-01' },
    ],
    'GET /events': ['events', 'view_events'],
    'GET /events/calendar': ['events', 'view_events'],
    'GET /events/statistics': ['events', 'view_statistics'],
    'GET /events/options': ['listed', 'view_statistics'],
    'GET /events/occurrences': ['computed', 'view_events'],
    'GET /events/groups': ['events', 'view_events'],
    'GET /people': ['listed', 'choose_audience'],
    'GET /events/{id}': ['event', 'view_events'],
    'GET /events/{id}/event.ics': ['event', 'view_events'],
    'GET /events/{id}/occurrences': ['event', 'view_events'],
    'PATCH /events/{id}': ['event', 'update_event', { title: 'x' }],
    // Deleting an event that is not a draft needs a second permission.
    'DELETE /events/{id}': ['event', 'delete_event', undefined, 'events.delete.any'],
    'POST /events/{id}/duplicate': ['event', 'create_event', {}],
    'POST /events/{id}/template': ['event', 'create_event', { name: 'x' }],
    'GET /event-templates': ['listed', 'create_event'],
    'PATCH /event-templates/{template_id}': ['named', 'create_event', { name: 'x' }],
    'DELETE /event-templates/{template_id}': ['named', 'create_event'],
    'POST /event-templates/{template_id}/events': ['named', 'create_event', { start_date: '2027-10-01' }],
    'POST /events/{id}/schedule': ['event', 'publish_event', {}],
    'POST /events/{id}/return': ['event', 'update_event', {}],
    'POST /events/{id}/publish': ['event', 'publish_event'],
    'POST /events/{id}/unpublish': ['event', 'publish_event'],
    'POST /events/{id}/cancel': ['event', 'cancel_event', { reason: 'x' }],
    'POST /events/{id}/postpone': ['event', 'update_event', { reason: 'x', new_start_date: '2026-11-01' }],
    // The change is a cancellation.
    'POST /changes/{change_id}/undo': ['named', 'view_events', undefined, 'events.cancel'],
    'POST /events/{id}/start': ['event', 'update_event'],
    'POST /events/{id}/complete': ['event', 'update_event'],
    'GET /events/{id}/timeline': ['event', 'view_events'],
    'GET /events/{id}/reminders': ['event', 'update_event'],
    'GET /events/{id}/clashes': ['event', 'update_event'],
    'GET /events/{id}/deliveries': ['event', 'manage_registrations'],
    'GET /events/{id}/deliveries/summary': ['event', 'manage_registrations'],
    'GET /events/{id}/deliveries/people': ['event', 'manage_registrations'],
    'GET /events/{id}/acknowledgements': ['event', 'manage_registrations'],
    'POST /events/{id}/acknowledgements/remind': ['event', 'manage_registrations'],
    'GET /events/{id}/call_list': ['event', 'manage_registrations'],
    'POST /events/{id}/call_list/{user_id}/reached': ['event', 'manage_registrations', {}],
    'GET /events/{id}/answers': ['event', 'manage_registrations'],
    'POST /events/{id}/registrations': ['event', 'view_events', { kind: 'attendee' }],
    'POST /events/{id}/registrations/family': ['event', 'view_events', { people: [{ kind: 'attendee' }] }],
    'GET /events/{id}/registrations': ['event', 'manage_registrations'],
    'GET /events/{id}/registrations/{rid}': ['event', 'any token'],
    'PATCH /events/{id}/registrations/{rid}': ['event', 'any token', { notes: 'x' }],
    'GET /events/{id}/slots': ['event', 'view_events'],
    'PUT /events/{id}/registrations/{rid}/slots': ['event', 'any token', { slots: [] }],
    'POST /events/{id}/registrations/{rid}/cancel': ['event', 'any token', {}],
    'POST /events/{id}/registrations/{rid}/decline': ['event', 'any token', { reason: 'x' }],
    'POST /events/{id}/registrations/{rid}/confirm': ['event', 'any token', {}],
    'POST /events/{id}/registrations/{rid}/check_in': ['event', 'any token', {}],
    'POST /events/{id}/registrations/{rid}/undo_check_in': ['event', 'any token', {}],
    'GET /events/{id}/check_in': ['event', 'manage_registrations'],
    'POST /events/{id}/check_in': ['event', 'any token', { code: '123456' }],
    'GET /events/{id}/registrations/counts': ['event', 'manage_registrations'],
    'GET /events/{id}/registrations/export': ['event', 'manage_registrations'],
    'GET /events/{id}/registrations/export.xlsx': ['event', 'manage_registrations'],
    'GET /events/{id}/registrations/mine': ['event', 'any token'],
    'POST /events/{id}/registrations/cancel': ['event', 'manage_registrations', { registration_ids: ['r1'] }],
    'POST /events/{id}/registrations/messages': [
      'event',
      'manage_registrations',
      { subject: 'Boots', body: 'Bring them.', channels: ['in_app'] },
    ],
    'GET /events/{id}/waitlist': ['event', 'manage_registrations'],
    'GET /contacts': ['listed', 'manage_contacts'],
    'GET /contacts/{user_id}/channels': ['named', 'manage_contacts'],
    'GET /contacts/{user_id}/views': ['named', 'manage_contacts'],
    'GET /contacts/{user_id}/export': ['named', 'manage_contacts'],
    'PUT /contacts/{user_id}': ['writes', 'manage_contacts', { name: 'theirs' }],
    'GET /contacts/{user_id}': ['named', 'manage_contacts'],
    'DELETE /contacts/{user_id}': ['named', 'manage_contacts'],
    'POST /roster/columns': ['computed', 'manage_contacts'],
    'POST /roster/import': ['writes', 'manage_contacts'],
    'POST /contacts/import': ['writes', 'manage_contacts'],
    'POST /files': ['writes', 'upload_files'],
    'GET /school': ['listed', 'manage_settings'],
    'PUT /school': ['writes', 'manage_settings', { name: 'theirs', timezone: 'UTC', locale: 'en' }],
    'GET /outside-calendars': ['listed', 'manage_settings'],
    'POST /outside-calendars': ['writes', 'manage_settings', { name: 'theirs', url: 'https://a.test/' }],
    'DELETE /outside-calendars/{calendar_id}': ['named', 'manage_settings'],
    'GET /webhooks': ['listed', 'manage_settings'],
    'POST /webhooks': ['writes', 'manage_settings', { url: 'https://a.test/', types: ['event.published'] }],
    'GET /webhooks/{webhook_id}': ['named', 'manage_settings'],
    'PATCH /webhooks/{webhook_id}': ['named', 'manage_settings', { enabled: false }],
    'DELETE /webhooks/{webhook_id}': ['named', 'manage_settings'],
    'POST /webhooks/{webhook_id}/rotate_secret': ['named', 'manage_settings'],
    'GET /webhooks/{webhook_id}/attempts': ['named', 'manage_settings'],
    'POST /webhooks/{webhook_id}/attempts/{attempt_id}/replay': ['named', 'manage_settings'],
    // Refused to the outsiders, whom no directory has.
    'POST /school/texts/{trigger}/test': ['computed', 'manage_settings', { channel: 'in_app', locale: 'en' }],
    'GET /school/texts/{trigger}': ['listed', 'manage_settings'],
    'GET /answers': ['listed', 'manage_registrations'],
    'POST /messages': ['writes', 'send_messages', { subject: 'theirs', body: 'Closed.', channels: ['in_app'] }],
    'GET /messages': ['listed', 'send_messages'],
    'GET /messages/{message_id}': ['named', 'send_messages'],
    'POST /messages/{message_id}/withdraw': ['named', 'send_messages'],
    'GET /messages/{message_id}/deliveries': ['named', 'send_messages'],
    'GET /messages/{message_id}/deliveries/summary': ['named', 'send_messages'],
    'GET /messages/{message_id}/deliveries/people': ['named', 'send_messages'],
    'GET /messages/{message_id}/acknowledgements': ['named', 'send_messages'],
    'POST /messages/{message_id}/acknowledgements/remind': ['named', 'send_messages'],
    'GET /messages/{message_id}/call_list': ['named', 'send_messages'],
    'POST /messages/{message_id}/call_list/{user_id}/reached': ['named', 'send_messages', {}],
    'GET /messages/{message_id}/answers': ['named', 'send_messages'],
    'GET /saved-texts': ['listed', 'use_saved_texts'],
    'POST /saved-texts': ['writes', 'send_messages', { name: 'theirs', subject: 'x', body: 'x' }],
    'PUT /saved-texts/{text_id}': ['named', 'send_messages', { name: 'theirs', subject: 'x', body: 'x' }],
    'DELETE /saved-texts/{text_id}': ['named', 'send_messages'],
    'GET /queues': ['listed', 'manage_deliveries'],
    'POST /queues/board': ['computed', 'manage_queues'],
    'GET /deliveries': ['listed', 'manage_deliveries'],
    'GET /deliveries/count': ['listed', 'manage_deliveries'],
    // Bulk actions select rows as lists do, and none of another school.
    'POST /deliveries/retry': ['listed', 'manage_deliveries', { from: '2000-01-01T00:00:00Z' }],
    'POST /deliveries/{delivery_id}/reveal': ['named', 'manage_deliveries'],
    'GET /quarantine': ['listed', 'manage_deliveries'],
    'POST /quarantine/{delivery_id}/redrive': ['named', 'manage_deliveries'],
    'POST /quarantine/{delivery_id}/discard': ['named', 'manage_deliveries'],
    'GET /suppressions': ['listed', 'manage_deliveries'],
    'DELETE /suppressions/{suppression_id}': ['named', 'manage_deliveries'],
    'POST /suppressions/lift': ['listed', 'manage_deliveries', { from: '2000-01-01T00:00:00Z' }],
  }),
  'POST /api/v1/ingest': ['writes', 'ingest'],
  'GET /api/v1/me': ['own', 'any token'],
  'GET /api/v1/me/acknowledgements/{event_id}': ['own', 'any token'],
  'POST /api/v1/me/acknowledgements/{event_id}': ['named', 'any token'],
  'GET /api/v1/me/inbox': ['own', 'any token'],
  'POST /api/v1/me/inbox/{id}/read': ['named', 'any token'],
  'POST /api/v1/me/inbox/{id}/archive': ['named', 'any token'],
  'POST /api/v1/me/inbox/{id}/unarchive': ['named', 'any token'],
  'POST /api/v1/me/inbox/read_all': ['own', 'any token'],
  'POST /api/v1/me/inbox/seen': ['own', 'any token'],
  'GET /api/v1/me/inbox/stream': ['own', 'any token'],
  'GET /api/v1/me/settings': ['own', 'any token'],
  'GET /api/v1/me/preferences': ['own', 'any token'],
  'PUT /api/v1/me/preferences': ['own', 'any token', { opted_out: [] }],
  'POST /api/v1/me/push_subscriptions': [
    'own',
    'any token',
    {
      endpoint: 'https://fcm.googleapis.com/theirs',
      keys: {
        p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url'),
        auth: 'AAAAAAAAAAAAAAAAAAAAAA',
      },
    },
  ],
  'DELETE /api/v1/me/push_subscriptions': ['own', 'any token', { endpoint: 'https://fcm.googleapis.com/canary' }],
  'POST /api/v1/me/feed': ['own', 'view_events'],
  'GET /api/v1/me/feed': ['own', 'any token'],
  'DELETE /api/v1/me/feed': ['own', 'any token'],
  'GET /api/v1/public/schools/{school_id}': ['open', 'open'],
  'GET /api/v1/public/schools/{school_id}/events': ['open', 'open'],
  'GET /api/v1/public/schools/{school_id}/events/{id}': ['open', 'open'],
  'GET /api/v1/public/schools/{school_id}/calendar.ics': ['open', 'open'],
  'GET /api/v1/public/schools/{school_id}/events.rss': ['open', 'open'],
  'GET /feeds/{token}.ics': ['open', 'open'],
  'GET /problems/{code}': ['open', 'open'],
  'GET /files/{id}/{name}': ['open', 'open'],
  'GET /client-config': ['open', 'open'],
  'GET /health/live': ['open', 'open'],
  'GET /health/ready': ['open', 'open'],
};
