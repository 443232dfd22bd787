import { describe, expect, test } from 'vitest';
import { Refused } from '../../src/core/errors.ts';
import { may, mustBeAllowed, PERMISSIONS, type Permission } from '../../src/people/caller.ts';
import { hasOptedOut } from '../../src/people/preferences.ts';
import { aCaller } from '../support/builders.ts';

/** The permissions, and the routes that need them. */
const ROWS: [Permission, string[]][] = [
  ['view_events', ['events.view']],
  ['create_event', ['events.create']],
  ['update_event', ['events.update']],
  ['choose_audience', ['events.create', 'events.update']],
  ['upload_files', ['events.create', 'events.update', 'events.settings.manage']],
  ['delete_event', ['events.delete']],
  ['delete_any_event', ['events.delete.any']],
  ['publish_event', ['events.publish', 'events.update']],
  ['cancel_event', ['events.cancel', 'events.update']],
  ['manage_registrations', ['events.registrations.manage']],
  ['send_messages', ['events.messages.send', 'events.settings.manage']],
  ['use_saved_texts', ['events.messages.send', 'events.settings.manage', 'events.registrations.manage']],
  ['view_statistics', ['events.statistics.view', 'events.view']],
  ['offer_statistics', ['events.statistics.view', 'events.registrations.manage']],
  ['manage_contacts', ['events.contacts.manage']],
  ['manage_settings', ['events.settings.manage']],
  ['manage_queues', ['operations.queues']],
  ['manage_deliveries', ['events.deliveries.manage']],
  ['ingest', ['events.ingest']],
  ['view_as', ['events.view_as']],
];
const NAMES = [...new Set(ROWS.flatMap(([, names]) => names))];

test('every permission is in the table', () => {
  expect(Object.keys(PERMISSIONS).sort()).toEqual(ROWS.map(([permission]) => permission).sort());
});

test.each(ROWS)('%s needs one of %j and nothing else will do', (permission, names) => {
  for (const name of NAMES)
    expect([name, may({ permissions: [name] }, permission)]).toEqual([name, names.includes(name)]);
  expect(may({ permissions: [] }, permission)).toBe(false);
  expect(may({ permissions: NAMES }, permission)).toBe(true);
});

test.each(['events.*', '*', 'EVENTS.UPDATE', 'events.update ', 'events', 'events.update.any'])(
  'a permission is compared as it is: %j is not events.update',
  (name) => {
    expect(may({ permissions: [name] }, 'update_event')).toBe(false);
  },
);

test('a role is not a permission', () => {
  expect(may(aCaller({ roles: ['admin'] }), 'update_event')).toBe(false);
});

test('refuses a caller without the permission, naming the missing one', () => {
  const refused = () => mustBeAllowed(aCaller({ permissions: ['events.view'] }), 'cancel_event');
  expect(refused).toThrow(Refused);
  expect(refused).toThrow('You need the permission events.cancel or events.update.');
  expect(() => mustBeAllowed(aCaller({ permissions: ['events.cancel'] }), 'cancel_event')).not.toThrow();
});

describe('opting out', () => {
  test.each([
    [[], false],
    [['event.published:email'], true],
    [['event.published:*'], true],
    [['*:email'], true],
    [['*:*'], true],
    [['event.published:sms'], false],
    [['event.cancelled:email'], false],
    [['*:sms', 'reminder.due:*'], false],
    [['*:sms', '*:email'], true],
    [['event.published'], false],
    [['email'], false],
    [['*'], false],
  ])('%j covers an announcement by e-mail: %s', (wishes, expected) => {
    expect(hasOptedOut(wishes, 'event.published', 'email')).toBe(expected);
  });
});
