import { startProduct, untilTrue, withEmail } from '../bench/product.ts';
import { startRedisCluster } from './redis-cluster.ts';

/**
 * `npm run scale` sends an announcement to COUNT people over a Redis Cluster of three nodes, with WORKERS processes of
 * each kind, and fails unless each person gets it.
 */
const COUNT = Number(process.env.COUNT ?? 1_000);
const WORKERS = Number(process.env.WORKERS ?? 2);

const cluster = await startRedisCluster();
const workers = Array.from({ length: WORKERS }, () => ['relay', 'fan-out', 'email'] as const).flat();
const product = await startProduct(workers, { REDIS_URL: cluster.url });
try {
  await product.addContacts(COUNT, withEmail);
  await product.chooseChannels('published', ['email']);
  const { publishedAt } = await product.publishNew();
  const ms = await untilTrue(async () => (await product.sinkCount()) >= COUNT, publishedAt);
  const statuses = await product.database
    .collection('deliveries')
    .aggregate<{ _id: { channel: string; status: string }; count: number }>([
      { $group: { _id: { channel: '$channel', status: '$status' }, count: { $sum: 1 } } },
    ])
    .toArray();
  console.log(
    `${await product.sinkCount()} of ${COUNT} e-mails in ${Math.round(ms)} ms, ${WORKERS} workers of each kind`,
  );
  console.table(statuses.map(({ _id, count }) => ({ ..._id, count })));
} finally {
  await product.end();
  await cluster.stop();
}
