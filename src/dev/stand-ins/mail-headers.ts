import type { Acceptance } from '../acceptance/acceptance-record.ts';

/** The headers that we add to a message; null for a missing one. */
export interface MailMarks {
  /** The whole Message-ID without its angle brackets. */
  messageId: string | null;
  delivery: string | null;
  trigger: string | null;
  event: string | null;
  tenant: string | null;
}

const MESSAGE_ID = /^message-id:\s*<([^>\r\n]+)>/im;
const DELIVERY = /^([0-9a-f]{64})(?:[.@]|$)/i;
const FEEDBACK_ID = /^feedback-id:\s*([^:\r\n]*):([^:\r\n]*):([^:\r\n]*):schoolbell/im;

/** Reads Message-ID and Feedback-ID from a raw message by two patterns on its header block, without parsing MIME. */
export function readMarks(raw: Buffer): MailMarks {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw
    .subarray(0, end === -1 ? raw.length : end)
    .toString('latin1')
    .replace(/\r?\n[ \t]+/g, ' ');
  const messageId = MESSAGE_ID.exec(header)?.[1] ?? null;
  const feedback = FEEDBACK_ID.exec(header);
  return {
    messageId,
    delivery: DELIVERY.exec(messageId ?? '')?.[1] ?? null,
    trigger: feedback?.[1]?.trim() || null,
    event: feedback?.[2]?.trim() || null,
    tenant: feedback?.[3]?.trim() || null,
  };
}

/** One line of the record for each recipient. */
export const acceptancesOf = (marks: MailMarks, at: Date, to: readonly string[]): Acceptance[] =>
  to.map((recipient) => ({
    at: at.toISOString(),
    channel: 'email',
    recipient,
    message_id: marks.messageId,
    delivery: marks.delivery,
    tenant: marks.tenant,
    event: marks.event,
    trigger: marks.trigger,
  }));
