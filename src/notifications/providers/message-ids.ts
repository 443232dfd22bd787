import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../core/ids.ts';

export type MessageIds = ReturnType<typeof signedMessageIds>;

/** Signs the Message-IDs of e-mails, so that only recipients of a message can report it as returned. */
export function signedMessageIds(secret: Buffer) {
  const sign = (delivery_id: string): string =>
    createHmac('sha256', secret).update(`message ${delivery_id}`).digest('hex').slice(0, SIGNATURE_LENGTH);
  return {
    /** @returns the part of the Message-ID before the @, the same for every copy */
    of: (delivery_id: string): string => `${delivery_id}.${sign(delivery_id)}`,
    /** Whether the signature belongs to this message. */
    isSignature: (delivery_id: string, signature: string): boolean => isSameSecret(signature, sign(delivery_id)),
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
