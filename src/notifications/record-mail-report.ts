import { COMPLAINT } from './delivery.ts';
import { failureOf, type MailReport } from './mail-report.ts';
import type { DeliveryStore, SuppressionStore } from './ports.ts';

type Deps = {
  deliveries: Pick<DeliveryStore, 'find' | 'settleByReport' | 'noteComplaint'>;
  suppressions: Pick<SuppressionStore, 'add' | 'forgive'>;
};

/**
 * Records a report. Guaranteed: what failed or was complained of is told on the delivery, an address that does not exist
 * is left alone for a while, and who called a message unwanted gets only what is urgent. May repeat. A report that names
 * no message of ours, or tells of a delay, changes nothing.
 * @returns whether it was about a message of ours
 */
export async function recordMailReport({ deliveries, suppressions }: Deps, report: MailReport): Promise<boolean> {
  const row = report.delivery_id === null ? null : await deliveries.find(report.delivery_id);
  if (row?.channel !== 'email' || row.address === null) return false;
  const { address } = row;
  if (report.kind === 'feedback') {
    if (report.type === 'abuse') {
      await deliveries.noteComplaint(row.id);
      await suppressions.add(row, 'email', address, { kind: 'complained', why: COMPLAINT });
    }
    if (report.type === 'not-spam') await suppressions.forgive(row.tenant_id, 'email', address);
    return true;
  }
  if (report.action !== 'failed') return true;
  const { reason, dead } = failureOf(report.code);
  const detail = `bounce ${report.code ?? 'without a code'}`;
  await deliveries.settleByReport(row.id, { reason, detail });
  if (dead) await suppressions.add(row, 'email', address, { kind: 'bounced', why: detail });
  return true;
}
