import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../core/ids.ts';
import type { MessageIds, Signed } from '../../notifications/providers/provider-report.ts';

/** @param secretAt returns the secret for messages drafted at that moment, always the same for one moment */
export function signedMessageIds(secretAt: (moment: Date) => Promise<Buffer>): MessageIds {
  const sign = async ({ id, created_at }: Signed): Promise<string> =>
    createHmac('sha256', await secretAt(created_at))
      .update(`message ${id}`)
      .digest('hex')
      .slice(0, SIGNATURE_LENGTH);
  return {
    of: async (message) => `${message.id}.${await sign(message)}`,
    isSignature: async (message, signature) => isSameSecret(signature, await sign(message)),
  };
}

/** Hexadecimal digits: 128 bits. */
const SIGNATURE_LENGTH = 32;

const MESSAGE_ID = new RegExp(`^<([0-9a-f]{64})\\.([0-9a-f]{${SIGNATURE_LENGTH}})@[^@\\s]+>$`);

/** Reads a Message-ID that Schoolbell made, without checking its signature. @returns null for any other */
export function readMessageId(messageId: string): { delivery_id: string; signature: string } | null {
  const [, delivery_id, signature] = MESSAGE_ID.exec(messageId.trim()) ?? [];
  return delivery_id && signature ? { delivery_id, signature } : null;
}
