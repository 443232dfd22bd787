import { expect, it } from 'vitest';
import { joinDecisions, totalsByChannel } from '../../../src/web/reports/delivery-totals.ts';

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

it('names equal reasons once with the latest time and their number, and each message that was sent or can be sent again', () => {
  const changed = { trigger: 'event.changed', channel: 'email', reason: 'superseded', text: 'not sent' } as const;
  const sent = { ...changed, reason: null, text: 'sent' };
  const why = [
    { ...sent, at: '10:09' },
    { ...changed, at: '10:08' },
    { ...changed, channel: 'sms', at: '10:08' },
    { ...changed, at: '10:07' },
    { ...sent, at: '10:06' },
    { ...changed, at: '10:05' },
    { ...changed, at: '10:04', retryable: true },
    { ...changed, at: '10:03', retryable: true },
  ];
  expect(joinDecisions(why)).toEqual([
    { ...sent, at: '10:09', count: 1 },
    { ...changed, at: '10:08', count: 3 },
    { ...changed, channel: 'sms', at: '10:08', count: 1 },
    { ...sent, at: '10:06', count: 1 },
    { ...changed, at: '10:04', retryable: true, count: 1 },
    { ...changed, at: '10:03', retryable: true, count: 1 },
  ]);
});
