import { randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';

/**
 * Loads the secret that signs links in messages and the Message-IDs of e-mails: created once, shared by every process through
 * the database.
 * @returns 32 bytes
 */
export async function loadSecret(database: Database): Promise<Buffer> {
  const rows = database.collection('secrets');
  const fresh = { $setOnInsert: { value: randomBytes(32).toString('base64url') } };
  const row = await rows.findOneAndUpdate({ _id: 'links' }, fresh, { upsert: true, returnDocument: 'after' });
  if (!row) throw new Error('the secret of links cannot be read');
  return Buffer.from(row.value, 'base64url');
}
