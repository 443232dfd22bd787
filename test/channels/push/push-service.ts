import { createECDH, randomBytes } from 'node:crypto';
import { decrypt } from 'http_ece';
import { onTestFinished } from 'vitest';
import webpush from 'web-push';
import { failover } from '../../../src/channels/failover.ts';
import { pushChannel } from '../../../src/channels/push/push.ts';
import type { LookupAll } from '../../../src/outbound/public-connector.ts';
import type { PushSubscription } from '../../../src/people/ports.ts';
import { NOW, texts } from '../outgoing.ts';
import { scriptedHttp } from '../scripted-http.ts';

export const vapid = { ...webpush.generateVAPIDKeys(), subject: 'mailto:ops@school.example' };

export function browser(endpoint: string, rest: Partial<PushSubscription> = {}) {
  const curve = createECDH('prime256v1');
  const auth = randomBytes(16).toString('base64url');
  const keys = { p256dh: curve.generateKeys('base64url'), auth };
  const subscription: PushSubscription = {
    id: endpoint,
    tenant_id: 't1',
    school_id: 's1',
    user_id: 'u1',
    endpoint,
    keys,
    created_at: NOW,
    ...rest,
  };
  const read = (body: Buffer) =>
    JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: curve, authSecret: auth }).toString('utf8'));
  return { subscription, read };
}

export function channelFor(
  held: PushSubscription[],
  rest: { allowedHosts?: string[]; sendTimeoutMs?: number; lookup?: LookupAll; fails?: boolean } = {},
) {
  const removed: string[] = [];
  const questions: string[][] = [];
  const channel = pushChannel({
    texts,
    vapid,
    allowedHosts: rest.allowedHosts ?? held.map(({ endpoint }) => new URL(endpoint).origin),
    failover: failover({ sendTimeoutMs: rest.sendTimeoutMs ?? 2000 }),
    sendTimeoutMs: rest.sendTimeoutMs ?? 2000,
    clock: { now: () => NOW },
    ...(rest.lookup ? { lookup: rest.lookup } : {}),
    subscriptions: {
      async findMany(scope, user_ids) {
        if (rest.fails) throw new Error('mongodb://user:secret@host');
        questions.push([scope.tenant_id, scope.school_id, ...user_ids]);
        return held.filter(
          (one) =>
            one.tenant_id === scope.tenant_id && one.school_id === scope.school_id && user_ids.includes(one.user_id),
        );
      },
      async removeByEndpoint(endpoint) {
        removed.push(endpoint);
      },
    },
  });
  onTestFinished(() => channel.close());
  return { channel, removed, questions };
}

export const service = (answer: Parameters<typeof scriptedHttp>[0] = () => ({ status: 201 })) => scriptedHttp(answer);
