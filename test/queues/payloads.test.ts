import { describe, expect, test } from 'vitest';
import { readDeliveryPayload, readFactPayload } from '../../src/queues/names.ts';

const ID = 'a'.repeat(64);

describe('the payload of a job', () => {
  test.each<[string, unknown]>([
    ['{}', {}],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['no ids', { ids: [] }],
    ['ids that are none', { ids: [{ $gt: '' }] }],
    ['one that is none among others', { ids: [ID, 7] }],
    ['a fact’s', { factId: { $ne: null } }],
    ['no tenant', { ids: [ID], factId: ID }],
    ['a tenant that is none', { ids: [ID], factId: ID, tenant_id: { $ne: 1 } }],
  ])('rejects %s', (_, data) => {
    expect(readDeliveryPayload(data)).toBeNull();
    expect(readFactPayload(data)).toBeNull();
  });

  test('is read with its tenant if it has this version or none', () => {
    const tenant_id = 't1';
    expect(readDeliveryPayload({ ids: [ID], tenant_id })).toEqual({ ids: [ID], tenant_id });
    expect(readDeliveryPayload({ v: 1, ids: [ID], tenant_id })).toEqual({ ids: [ID], tenant_id });
    expect(readFactPayload({ factId: ID, tenant_id })).toEqual({ factId: ID, tenant_id });
  });

  test('is left for a newer process if its version is newer', () => {
    expect(readDeliveryPayload({ v: 2, batches: [] })).toBe('newer');
    expect(readFactPayload({ v: 2 })).toBe('newer');
  });
});
