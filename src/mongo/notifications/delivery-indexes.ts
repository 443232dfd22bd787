import { open } from '../collection-schema.ts';

export const deliveries = open('deliveries')
  .index({ event_id: 1, user_id: 1, channel: 1 })
  .index({ tenant_id: 1, school_id: 1, created_at: -1, _id: -1 }, { name: 'of_school' })
  .index({ user_id: 1, created_at: -1, _id: -1 }, { name: 'of_person' })
  .index(
    { channel: 1, urgent: 1, tenant_id: 1, queued_at: 1, due_at: 1 },
    { name: 'waiting', partialFilterExpression: { status: 'waiting' } },
  )
  .index(
    { channel: 1, due_at: 1 },
    { name: 'next_due', partialFilterExpression: { status: 'waiting', queued_at: null } },
  )
  .index(
    { expires_at: 1 },
    { name: 'expiring', partialFilterExpression: { status: 'waiting', expires_at: { $type: 'date' } } },
  )
  .index(
    { digest_key: 1, due_at: 1 },
    { name: 'held', partialFilterExpression: { status: 'waiting', digest_key: { $type: 'string' } } },
  )
  .index(
    { tenant_id: 1, school_id: 1, _id: 1 },
    { name: 'quarantined', partialFilterExpression: { status: 'quarantined' } },
  )
  .index(
    { tenant_id: 1, school_id: 1, reason: 1, settled_at: 1 },
    { name: 'failed', partialFilterExpression: { status: 'failed' } },
  )
  .index(
    { tenant_id: 1, school_id: 1, user_id: 1, settled_at: -1, _id: -1 },
    { name: 'inbox', partialFilterExpression: { title: { $type: 'string' } } },
  )
  // Finds the message that a text message answers.
  .index(
    { address: 1, created_at: -1 },
    { name: 'texts', partialFilterExpression: { channel: { $in: ['sms', 'whatsapp'] } } },
  )
  .index({ lease_until: 1 }, { name: 'leased', partialFilterExpression: { lease_until: { $type: 'date' } } })
  .index({ channel: 1, due_at: 1 }, { name: 'unknown', partialFilterExpression: { status: 'unknown' } });
