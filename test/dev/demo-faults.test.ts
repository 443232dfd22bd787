import { expect, test } from 'vitest';
import { type DeliveryRow, findFaults } from '../../src/dev/acceptance/report.ts';

const CONCERT = { id: 'concert', title: 'Concert', sends: { email: 2, in_app: 1 } };
const row = (
  id: string,
  channel: DeliveryRow['channel'] = 'email',
  status: DeliveryRow['status'] = 'sent',
): DeliveryRow => {
  return { id, user_id: id, trigger: 'event.published', channel, status, reason: null };
};
const ROWS = [row('eva'), row('jan'), row('ota', 'in_app'), row('rut', 'email', 'skipped')];
const faultsOf = (rows: readonly DeliveryRow[], arrived: readonly string[]) => {
  const messages = arrived.map((delivery) => ({ delivery }));
  const none = { messages: [] };
  return findFaults(CONCERT, rows, { smtp: { messages }, twilio: none, push: none } as never);
};

test.each([
  ['nothing when all messages arrived once', ROWS, ['eva', 'jan'], []],
  ['a missing message', ROWS, ['eva'], [expect.stringContaining('to jan: sent, and arrived 0 times')]],
  ['a doubled message', ROWS, ['eva', 'jan', 'jan'], [expect.stringContaining('to jan: sent, and arrived 2 times')]],
  [
    'a message that the script does not expect',
    [...ROWS, row('tom')],
    ['eva', 'jan', 'tom'],
    ['Concert by email: 3 sent, 2 expected'],
  ],
  ['a message that was not sent', ROWS.slice(1), ['jan'], ['Concert by email: 1 sent, 2 expected']],
])('the demo finds %s', (_, rows, arrived, faults) => {
  expect(faultsOf(rows, arrived)).toEqual(faults);
});
