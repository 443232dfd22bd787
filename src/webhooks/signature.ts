import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from './webhook.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** After a rotation, messages are signed with the old secret too for this time. */
const OVERLAP_MS = 86_400_000;

/** Creates a secret that signs from now on. */
export const newSecret = (): Secret => ({
  value: `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`,
  until: null,
});

/** The secrets after a rotation: the new one, and each old one for a day after its end. */
export function rotatedSecrets(secrets: readonly Secret[], now: Date): Secret[] {
  const end = new Date(now.getTime() + OVERLAP_MS);
  return [newSecret(), ...valid(secrets, now).map(({ value, until }) => ({ value, until: until ?? end }))];
}

const valid = (secrets: readonly Secret[], now: Date): Secret[] =>
  secrets.filter(({ until }) => until === null || until > now);

/** The headers of a message (Standard Webhooks 1.0), signed with every secret that is valid now. */
export function signedHeaders(id: string, body: string, secrets: readonly Secret[], now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': valid(secrets, now)
      .map(({ value }) => `v1,${sign(value)}`)
      .join(' '),
  };
}
