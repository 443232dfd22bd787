import { randomBytes } from 'node:crypto';
import type { Database } from '../database.ts';

/**
 * Loads the secret that signs links in messages: created once, shared by every process through the database.
 * @returns 32 bytes
 */
export async function loadLinkSecret(database: Database): Promise<Buffer> {
  const rows = database.collection('secrets');
  const fresh = { $setOnInsert: { value: randomBytes(32).toString('base64url') } };
  const row = await rows.findOneAndUpdate({ _id: 'links' }, fresh, { upsert: true, returnDocument: 'after' });
  if (!row) throw new Error('the link secret cannot be read');
  return Buffer.from(row.value, 'base64url');
}

const DAY = 86_400_000;
/** A new secret signs the messages of each month; the secrets of half a year remain valid. */
const ROTATED_AFTER_MS = 30 * DAY;
const KEPT = 7;
/** A new secret takes effect this long after it is stored, so that every process has read it before. */
const EFFECTIVE_AFTER_MS = 3_600_000;
const REREAD_AFTER_MS = 600_000;

/**
 * Loads the secrets that sign Message-IDs, shared by every process through the database and rotated automatically.
 * @returns a function that gives the secret in effect at a moment: the same for the same moment, in every process
 */
export async function loadMessageSecrets(database: Database): Promise<(moment: Date) => Promise<Buffer>> {
  const rows = database.collection('secrets');
  const _id = 'message_ids';
  let known: { from: Date; secret: Buffer }[] = [];
  let readAgainAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const now = database.clock.now().getTime();
    const secretFrom = (at: number) => ({ from: new Date(at), value: randomBytes(32).toString('base64url') });
    await rows.updateOne({ _id }, { $setOnInsert: { secrets: [secretFrom(now)] } }, { upsert: true });
    await rows.updateOne(
      { _id, 'secrets.from': { $not: { $gt: new Date(now - ROTATED_AFTER_MS) } } },
      { $push: { secrets: { $each: [secretFrom(now + EFFECTIVE_AFTER_MS)], $slice: -KEPT } } },
    );
    const row = await rows.findOne({ _id });
    if (!row) throw new Error('the secrets of Message-IDs cannot be read');
    known = row.secrets.map(({ from, value }) => ({ from, secret: Buffer.from(value, 'base64url') }));
    readAgainAt = now + REREAD_AFTER_MS;
  }

  await read();
  return async (moment) => {
    // Without the database no message is leased either, so the known secrets suffice until it is back.
    if (database.clock.now().getTime() >= readAgainAt) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading.catch(() => {});
    }
    const { secret } = known.findLast(({ from }) => from <= moment) ?? (known[0] as { secret: Buffer });
    return secret;
  };
}
