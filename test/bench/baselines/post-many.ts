import { Agent } from 'undici';
import webpush from 'web-push';
import { servePart } from '../part.ts';

export type PostMany = {
  count: number;
  /** encrypts a payload for these keys each time, and posts nothing */
  encryptFor?: { p256dh: string; auth: string };
  /** posts one body over and over, as our client does */
  to?: string;
};

/** The connections of the SMS worker's client. */
const CONNECTIONS = 50;
const PAYLOAD = JSON.stringify({ title: 'Bench', body: 'Everybody is welcome. '.repeat(6), url: 'http://x/events/1' });
const FORM = new URLSearchParams({
  To: '+420700000000',
  Body: 'Bench. '.repeat(15),
  StatusCallback: `http://127.0.0.1:3000/callbacks/twilio/${'0'.repeat(64)}?fence=1`,
  From: '+15005550006',
}).toString();
const HEADERS = {
  Accept: 'application/json',
  'Content-Type': 'application/x-www-form-urlencoded',
  Authorization: `Basic ${Buffer.from(`AC0:${'0'.repeat(32)}`).toString('base64')}`,
};

/** The parts of push and SMS alone: encryption without sending, and sending without anything else. */
servePart(async ({ count, encryptFor, to }: PostMany) => {
  const from = performance.now();
  if (encryptFor) {
    for (let n = 0; n < count; n += 1) webpush.encrypt(encryptFor.p256dh, encryptFor.auth, PAYLOAD, 'aes128gcm');
  } else {
    const { origin, pathname: path } = new URL(to ?? '');
    const agent = new Agent({ connections: CONNECTIONS });
    let next = 0;
    const one = async () => {
      while (next++ < count) {
        const { body } = await agent.request({ origin, path, method: 'POST', headers: HEADERS, body: FORM });
        await body.dump();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    await agent.close();
  }
  return { count, ms: performance.now() - from };
});
