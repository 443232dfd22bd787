import { expect, it } from 'vitest';
import { totalsByChannel } from '../../../src/web/reports/delivery-totals.ts';

it('says of push that no device is set up, and counts each reason once', () => {
  const skipped = { trigger: 'event.published', status: 'skipped', reason: 'no_contact' } as const;
  const rows = [
    { ...skipped, channel: 'email', count: 2 },
    { ...skipped, channel: 'push', count: 30 },
    { ...skipped, channel: 'push', count: 7 },
  ] as const;
  expect(totalsByChannel(rows).map(({ channel, reasons }) => ({ channel, reasons }))).toEqual([
    { channel: 'email', reasons: [{ reason: 'no_contact', count: 2 }] },
    { channel: 'push', reasons: [{ reason: 'no_device', count: 37 }] },
  ]);
});

it('leaves out a channel that is not set up, unless the message used no other', () => {
  const off = { channel: 'sms', status: 'skipped', reason: 'channel_off', count: 9 } as const;
  const rows = [
    { ...off, trigger: 'event.cancelled' },
    { ...off, trigger: 'event.cancelled', channel: 'email', status: 'sent', reason: null },
    { ...off, trigger: 'reminder.due' },
  ] as const;
  expect(totalsByChannel(rows).map(({ trigger, channel, reasons }) => ({ trigger, channel, reasons }))).toEqual([
    { trigger: 'event.cancelled', channel: 'email', reasons: [] },
    { trigger: 'reminder.due', channel: 'sms', reasons: [{ reason: 'channel_off', count: 9 }] },
  ]);
});
