import { describe, expect, test } from 'vitest';
import { changeWebhook } from '../../../src/webhooks/manage.ts';
import { aCaller, SCOPE } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';
import { DAY, HOUR, openReceiver, refuses, TAKES } from './receiver.ts';

const { receiver, stores, attempts, deliverDue, only, pass, record, state, subscribe } = await openReceiver();

describe('a subscription', () => {
  test('is turned off when its receiver answers 410', async () => {
    await subscribe();
    await record();
    receiver.answer = refuses(410);
    await deliverDue();
    expect(await only()).toMatchObject({ status: 'failed' });
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(receiver.disabled).toEqual(['gone']);
    await record(aFact('event.published', {}, { id: 'fact-2' }));
    await deliverDue();
    expect(receiver.posted).toHaveLength(1);
  });

  test('stays on if it has another address when the old one answers 410', async () => {
    await subscribe();
    await record();
    receiver.answer = async () => {
      await stores.webhooks.change(SCOPE, 'webhook-1', { url: 'https://new.example/' });
      return { status_code: 410, problem: 'refused' };
    };
    await deliverDue();
    expect(await state()).toMatchObject({ enabled: true, disabled_reason: null });
  });

  /** Records a fact and sends what is due, every twelve hours. */
  async function haveDays(days: number) {
    for (let n = 0; n < days * 2; n += 1) {
      await record(aFact('event.published', {}, { id: `fact-${receiver.now.getTime()}` }));
      await deliverDue();
      pass(12 * HOUR);
    }
  }

  test('is turned off after five days of only failures', async () => {
    await subscribe();
    receiver.answer = refuses();
    await haveDays(5);
    expect(await state()).toMatchObject({ enabled: true });
    await haveDays(0.5);
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(receiver.disabled).toEqual(['failing']);
    expect(await stores.database.collection('messages').countDocuments({ is_notice: true })).toBe(1);
  });

  test('stays on if one message was taken in between', async () => {
    await subscribe();
    receiver.answer = refuses();
    await haveDays(4);
    receiver.answer = TAKES;
    await haveDays(0.5);
    receiver.answer = refuses();
    await haveDays(4);
    expect(await state()).toMatchObject({ enabled: true });
  });

  test('stays on if it has another address, which fails too', async () => {
    await subscribe();
    receiver.answer = refuses();
    await haveDays(4);
    await changeWebhook({ ...stores, webhookOrigins: [] }, aCaller(), 'webhook-1', { url: 'https://new.example/' });
    await haveDays(2);
    expect(await state()).toMatchObject({ enabled: true });
    await haveDays(4);
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  test('is turned off after five days of only failures, although it was saved again with the same address', async () => {
    await subscribe();
    receiver.answer = refuses();
    await haveDays(4);
    const saved = { url: 'https://hook.example/', enabled: true, description: 'Library' };
    await changeWebhook({ ...stores, webhookOrigins: [] }, aCaller(), 'webhook-1', saved);
    await haveDays(1.5);
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'failing', description: 'Library' });
  });

  test('stays on if nothing was sent for days between two failures', async () => {
    await subscribe();
    receiver.answer = refuses();
    await haveDays(0.5);
    await attempts.deleteMany({});
    pass(30 * DAY);
    await haveDays(0.5);
    expect(await state()).toMatchObject({ enabled: true });
  });

  test('takes its attempts with it when it is removed', async () => {
    await subscribe();
    await record();
    expect(await stores.webhooks.remove(SCOPE, 'webhook-1')).toBe(true);
    expect(await attempts.countDocuments({})).toBe(0);
  });
});
