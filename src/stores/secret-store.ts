import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * The secret that links in messages are signed with: made once, shared by every process through the database.
 * @returns 32 bytes
 */
export async function linkSecret(database: Database): Promise<Buffer> {
  const rows = database.collection<{ _id: string; value: string }>('secrets');
  await rows.updateOne(
    { _id: 'links' },
    { $setOnInsert: { value: randomBytes(32).toString('base64url') } },
    { upsert: true },
  );
  const row = await rows.findOne({ _id: 'links' });
  if (!row) throw new Error('the link secret cannot be read');
  return Buffer.from(row.value, 'base64url');
}
