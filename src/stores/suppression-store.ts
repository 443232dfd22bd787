import type { SuppressionStore } from '../notifications/ports.ts';
import { sameAddressForm } from '../people/contact.ts';
import type { Database } from './database.ts';

type SuppressionRow = { _id: string; tenant_id: string; channel: string; address: string; why: string; since: Date };

export function suppressionStore(database: Database): SuppressionStore {
  const rows = database.collection<SuppressionRow>('suppressions');
  return {
    async add(tenant_id, channel, address, why) {
      const key = { tenant_id, channel, address: sameAddressForm(address) };
      await rows.updateOne(
        { _id: JSON.stringify(Object.values(key)) },
        { $set: { ...key, why }, $currentDate: { since: true } },
        { upsert: true },
      );
    },
    async among(tenant_id, channel, addresses) {
      if (addresses.length === 0) return new Set();
      const ids = addresses.map((address) => JSON.stringify([tenant_id, channel, sameAddressForm(address)]));
      const found = rows.find({ _id: { $in: ids } }, { projection: { address: 1 } });
      return new Set((await found.toArray()).map((row) => row.address));
    },
  };
}
