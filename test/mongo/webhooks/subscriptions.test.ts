import { describe, expect, test } from 'vitest';
import { changeWebhook } from '../../../src/webhooks/manage.ts';
import { aCaller, SCOPE } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';
import { DAY, HOUR, openReceiver, refuses, TAKES } from './receiver.ts';

const { receiver, stores, attempts, deliverDue, only, pass, record, state, subscribe } = await openReceiver();

/** The subjects of the messages to the administrators. */
async function notices(): Promise<string[]> {
  const rows = await stores.database.collection('messages').find({ is_notice: true }).sort({ _id: 1 }).toArray();
  return rows.map(({ subject }) => subject);
}

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
    expect(await notices()).toEqual([
      'Webhook is failing: https://hook.example/',
      'Webhook turned off: https://hook.example/',
    ]);
  });

  /** Sends what is due, four times a day. */
  async function passDays(days: number) {
    for (let n = 0; n < days * 4; n += 1) {
      await deliverDue();
      pass(6 * HOUR);
    }
  }

  test('that is rarely used warns staff once, while its only message is still tried', async () => {
    await subscribe();
    receiver.answer = refuses();
    const began = receiver.now.getTime();
    await record();
    await passDays(2);
    expect(await only()).toMatchObject({ status: 'pending' });
    expect(receiver.warned.map((at) => Math.floor((at.getTime() - began) / DAY))).toEqual([1]);
    await passDays(5);
    expect(await only()).toMatchObject({ status: 'failed' });
    expect(await state()).toMatchObject({ enabled: true });
    expect(await notices()).toEqual(['Webhook is failing: https://hook.example/']);
    await record(aFact('event.published', {}, { id: 'fact-2' }));
    await passDays(2);
    expect(await notices()).toHaveLength(2);
  });

  test('that fails for less than a day warns no one', async () => {
    await subscribe();
    receiver.answer = refuses();
    await record();
    await passDays(0.75);
    receiver.answer = TAKES;
    await passDays(2);
    expect(await only()).toMatchObject({ status: 'delivered' });
    expect(await notices()).toEqual([]);
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
    // Another school can't remove it.
    expect(await stores.webhooks.remove({ ...SCOPE, school_id: 's2' }, 'webhook-1')).toBe(false);
    expect([await attempts.countDocuments({}), await state()]).toMatchObject([1, { enabled: true }]);
    expect(await stores.webhooks.remove(SCOPE, 'webhook-1')).toBe(true);
    expect(await attempts.countDocuments({})).toBe(0);
  });
});
