import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { twilioSignatureIsValid } from '../../../src/channels/sms/twilio-client.ts';

const URL_OF_CALLBACK = 'https://school.example/callbacks/twilio/d1?fence=3';
const FORM = { MessageStatus: 'delivered', MessageSid: 'SM1' };

/** Twilio's rule, computed here: HMAC-SHA1 over the address and the fields, sorted by name. */
const signed = (token: string) =>
  createHmac('sha1', token).update(`${URL_OF_CALLBACK}MessageSidSM1MessageStatusdelivered`).digest('base64');

describe('a callback is from Twilio', () => {
  it('when it was signed with our token', () => {
    expect(twilioSignatureIsValid('token', signed('token'), URL_OF_CALLBACK, FORM)).toBe(true);
  });

  it.each([
    ['an empty one', '', URL_OF_CALLBACK, FORM],
    ['another token', signed('other'), URL_OF_CALLBACK, FORM],
    ['another delivery', signed('token'), URL_OF_CALLBACK.replace('d1', 'd2'), FORM],
    ['another fence', signed('token'), URL_OF_CALLBACK.replace('fence=3', 'fence=4'), FORM],
    ['another status', signed('token'), URL_OF_CALLBACK, { ...FORM, MessageStatus: 'failed' }],
    ['a field more', signed('token'), URL_OF_CALLBACK, { ...FORM, Extra: '1' }],
  ])('is never accepted with %s', (_name, signature, url, form) => {
    expect(twilioSignatureIsValid('token', signature, url, form)).toBe(false);
  });
});
