import { describe, expect, it } from 'vitest';
import { aSchool } from '../../support/builders.ts';
import { PARENT, provideHttp, serveAnew } from '../../support/http/http-app.ts';

const { ask, tables } = await provideHttp();

const URL = '/api/v1/me/settings';
const EVA = { ...PARENT, permissions: [] };

/**
 * `+` free, `!` always, `-` never; e-mail, SMS, push, inbox, WhatsApp, where SMS and WhatsApp are not set up. Typed out from
 * decisions.md.
 */
const USUAL = {
  'event.published': '+-++-',
  'event.cancelled': '!-+!-',
  'event.postponed': '!-+!-',
  'event.changed': '+-++-',
  'event.unpublished': '+-+!-',
  'registration.pending': '+--!-',
  'registration.waitlisted': '+--!-',
  'registration.confirmed': '+--!-',
  'registration.declined': '+--!-',
  'registration.refused': '+--!-',
  'registration.cancelled': '!-+!-',
  'reminder.due': '+-++-',
  'event.starting': '--++-',
  message: '+-++-',
  'message.school': '+-++-',
  'message.urgent': '!-+!-',
  'acknowledgement.due': '+-++-',
  'message.answered': '+--+-',
};

type Row = { trigger: string; channels: { choice: 'free' | 'always' | 'never' }[] };
const SIGNS = { free: '+', always: '!', never: '-' };
const drawn = ({ messages }: { messages: Row[] }) =>
  Object.fromEntries(
    messages.map(({ trigger, channels }) => [trigger, channels.map(({ choice }) => SIGNS[choice]).join('')]),
  );

describe('the choices of a person', () => {
  it('include every channel of every message that is sent and not mandatory', async () => {
    expect(drawn((await ask(EVA, 'GET', URL)).body)).toEqual(USUAL);
  });

  it('follow the school’s channels but never make a mandatory message optional', async () => {
    await tables.schools.put(
      aSchool({ channels: { 'event.published': ['push'], 'event.cancelled': ['push'], 'registration.pending': [] } }),
    );
    expect(drawn((await ask(EVA, 'GET', URL)).body)).toEqual({
      ...USUAL,
      'event.published': '--+--',
      'registration.pending': '-----',
    });
  });

  it('give the reason if there is no choice', async () => {
    const { body } = await ask(EVA, 'GET', URL);
    const cancelled = body.messages.find((row: Row) => (row.trigger as string) === 'event.cancelled');
    expect(cancelled.channels.slice(0, 3)).toEqual([
      {
        channel: 'email',
        choice: 'always',
        reason: 'mandatory',
        reason_text: 'too important to turn off',
      },
      { channel: 'sms', choice: 'never', reason: 'channel_off', reason_text: 'the school has not set up this channel' },
      { channel: 'push', choice: 'free', reason: null, reason_text: null },
    ]);
  });

  it('include the push key and the date of the calendar address', async () => {
    const { ask: askWithKey, now } = await serveAnew({ pushPublicKey: 'BKey' });
    const view = { ...EVA, permissions: ['events.view'] };
    expect((await askWithKey(view, 'GET', URL)).body).toMatchObject({
      push: { public_key: 'BKey' },
      quiet_hours: null,
      feed_created_at: null,
    });
    await askWithKey(view, 'POST', '/api/v1/me/feed');
    expect((await askWithKey(view, 'GET', URL)).body.feed_created_at).toBe(now.at.toISOString());
    expect((await ask(EVA, 'GET', URL)).body.push).toBeNull();
  });
});
