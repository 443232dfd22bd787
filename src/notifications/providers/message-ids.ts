import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../core/ids.ts';
import type { Delivery } from '../delivery.ts';

/** The parts of a Message-ID: the delivery's id, and the time that selects the signing secret. */
export type Signed = Pick<Delivery, 'id' | 'created_at'>;

export type MessageIds = ReturnType<typeof signedMessageIds>;

/**
 * Signs the Message-IDs of e-mails, so that only recipients of a message can report it as returned.
 * @param secretAt returns the secret for messages drafted at that moment, always the same for one moment
 */
export function signedMessageIds(secretAt: (moment: Date) => Promise<Buffer>) {
  const sign = async ({ id, created_at }: Signed): Promise<string> =>
    createHmac('sha256', await secretAt(created_at))
      .update(`message ${id}`)
      .digest('hex')
      .slice(0, SIGNATURE_LENGTH);
  return {
    /** @returns the part of the Message-ID before the @, the same for every copy even after a rotation of secrets */
    of: async (message: Signed): Promise<string> => `${message.id}.${await sign(message)}`,
    /** Whether the signature belongs to this message. */
    isSignature: async (message: Signed, signature: string): Promise<boolean> =>
      isSameSecret(signature, await sign(message)),
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
