import type { MailReport } from '../../notifications/providers/record-mail-report.ts';
import { readMessageId } from './message-id.ts';
import { parseMail, textOfPart } from './parse-mail.ts';

/**
 * Reads a returned mail: a delivery status notification (RFC 3464) or a feedback report (ARF, RFC 5965). The Message-ID in
 * its copy of the message names the delivery; `recordMailReport` checks the signature.
 * @returns null for anything else: a personal or automatic reply, or no mail at all
 */
export async function readMailReport(raw: Uint8Array): Promise<MailReport | null> {
  const mail = await parseMail(raw);
  if (!mail) return null;
  const part = (...types: string[]) => textOfPart(mail, ...types);
  const copy = part('message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers');
  const about = readMessageId(fieldsOf(copy.split(/\r?\n\r?\n/)[0] ?? '').get('message-id') ?? '');
  const feedback = part('message/feedback-report');
  if (feedback) {
    const type = fieldsOf(feedback).get('feedback-type')?.toLowerCase() ?? '';
    return { kind: 'feedback', about, type };
  }
  const status = part('message/delivery-status', 'message/global-delivery-status');
  if (!status) return null;
  // The first block describes the message, each later block one recipient; our mails have a single recipient.
  const blocks = status.split(/\r?\n[ \t]*\r?\n/);
  const recipients = blocks.map(fieldsOf).filter((fields) => actionOf(fields) !== '');
  const recipient = recipients.find((fields) => actionOf(fields) === 'failed') ?? recipients[0];
  if (!recipient) return null;
  const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(recipient.get('status') ?? '')?.[1] ?? null;
  return { kind: 'status', about, action: actionOf(recipient), code };
}

const actionOf = (fields: ReadonlyMap<string, string>): string =>
  /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0]?.toLowerCase() ?? '';

/** Unfolded `Name: value` lines; the first line of each name counts. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== '' && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}
