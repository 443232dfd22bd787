import { Agent } from 'undici';
import webpush from 'web-push';
import { servePart } from './part.ts';

export type PostMany = {
  count: number;
  /** encrypts a payload for these keys each time, and posts nothing */
  encryptFor?: { p256dh: string; auth: string };
  /** posts one body over and over */
  to?: string;
};

/** As many as one worker has under way: four jobs of ten. */
const IN_FLIGHT = 40;
const PAYLOAD = JSON.stringify({ title: 'Bench', body: 'Everybody is welcome. '.repeat(6), url: 'http://x/events/1' });
const FORM = new URLSearchParams({ To: '+420700000000', From: '+15005550006', Body: 'Bench. '.repeat(15) }).toString();

/** The parts of push and SMS alone: encryption without sending, and sending without anything else. */
servePart(async ({ count, encryptFor, to }: PostMany) => {
  const from = performance.now();
  if (encryptFor) {
    for (let n = 0; n < count; n += 1) webpush.encrypt(encryptFor.p256dh, encryptFor.auth, PAYLOAD, 'aes128gcm');
  } else {
    const { origin, pathname: path } = new URL(to ?? '');
    const agent = new Agent({ connections: IN_FLIGHT });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    let next = 0;
    const one = async () => {
      while (next++ < count) {
        const { body } = await agent.request({ origin, path, method: 'POST', headers, body: FORM });
        await body.dump();
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, one));
    await agent.close();
  }
  return { count, ms: performance.now() - from };
});
