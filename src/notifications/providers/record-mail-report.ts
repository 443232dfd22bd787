import { COMPLAINT } from '../delivery.ts';
import type { DeliveryStore, SuppressionStore } from '../ports.ts';
import { failureOf, type MailReport, type MessageIds } from './mail-report.ts';

type Deps = {
  deliveries: Pick<DeliveryStore, 'find' | 'failByReport' | 'recordComplaint'>;
  suppressions: Pick<SuppressionStore, 'add' | 'removeComplaint'>;
  messageIds: Pick<MessageIds, 'isSignature'>;
};

/**
 * Records a report whose signature proves that its sender has the message. Marks the delivery as failed or complained about,
 * suppresses an address that does not exist for a while, and limits an address that complained to urgent messages. Each
 * message counts once: a second report changes nothing, even after staff lifted the suppression. Reports of a delay or
 * without a valid signature change nothing.
 * @returns whether the report is about a message of ours
 */
export async function recordMailReport(
  { deliveries, suppressions, messageIds }: Deps,
  report: MailReport,
): Promise<boolean> {
  const { about } = report;
  const row = about && (await deliveries.find(about.delivery_id));
  if (row?.channel !== 'email' || row.address === null) return false;
  if (!(await messageIds.isSignature(row, about?.signature ?? ''))) return false;
  const { address } = row;
  if (report.kind === 'feedback') {
    if (report.type === 'abuse' && (await deliveries.recordComplaint(row.id)))
      await suppressions.add(row, 'email', address, { kind: 'complained', why: COMPLAINT });
    if (report.type === 'not-spam') await suppressions.removeComplaint(row.tenant_id, 'email', address);
    return true;
  }
  if (report.action !== 'failed') return true;
  const { reason, dead } = failureOf(report.code);
  const detail = `bounce ${report.code ?? 'without a code'}`;
  const isFirst = await deliveries.failByReport(row.id, { reason, detail });
  if (isFirst && dead) await suppressions.add(row, 'email', address, { kind: 'bounced', why: detail });
  return true;
}
