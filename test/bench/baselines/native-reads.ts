import { jwtVerify } from 'jose';
import { keyOf } from '../../../src/http/auth/token.ts';
import { openDatabase } from '../../../src/mongo/open-database.ts';
import { servePart } from '../part.ts';
import { repeat } from '../repeat.ts';

export type NativeReads = {
  what: 'one' | 'list' | 'month';
  count: number;
  inFlight: number;
  ids: string[];
  month: { first: string; days: number };
  token: string;
};

const database = await openDatabase(process.env.MONGODB_URI ?? '');
const rows = database.collection('events');
const key = await keyOf(process.env.JWT_SECRET ?? '');
const claims = {
  issuer: process.env.JWT_ISSUER ?? '',
  audience: process.env.JWT_AUDIENCE ?? '',
  algorithms: ['HS256'],
};
const DAY_MS = 86_400_000;
const OF = { school_id: 'big', tenant_id: 'big' };

/** The token checked and the driver asked, over the same index, and nothing else: no HTTP, no visibility, no JSON. */
servePart(async ({ what, count, inFlight, ids, month, token }: NativeReads) => {
  const starts_at = { $gte: new Date(month.first), $lt: new Date(Date.parse(month.first) + month.days * DAY_MS) };
  const ms = await repeat(count, inFlight, async (n) => {
    await jwtVerify(token, key, claims);
    if (what === 'one') await rows.findOne({ _id: ids[n % ids.length], ...OF } as never);
    else
      await rows
        .find((what === 'list' ? OF : { ...OF, starts_at }) as never)
        .sort({ starts_at: 1, _id: 1 })
        .limit(what === 'list' ? 50 : 0)
        .toArray();
  });
  return { count, ms };
});
