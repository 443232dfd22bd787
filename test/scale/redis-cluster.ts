import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startRedis } from '../../src/dev/services/services.ts';

const SLOTS = 16_384;

/** Three nodes on this machine that share all slots. @returns the REDIS_URL of the first */
export async function startRedisCluster(): Promise<{ url: string; stop(): Promise<void> }> {
  const args = ['--cluster-enabled', 'yes', '--appendonly', 'no'];
  const servers = await Promise.all([0, 1, 2].map(() => startRedis({ own: true, args })));
  const nodes = servers.map(({ uri }) => new Redis(uri));
  const [first] = nodes as [Redis];
  for (const [n, node] of nodes.entries()) {
    const from = Math.ceil((n * SLOTS) / nodes.length);
    await node.call('CLUSTER', 'ADDSLOTSRANGE', from, Math.ceil(((n + 1) * SLOTS) / nodes.length) - 1);
    if (node !== first) await first.call('CLUSTER', 'MEET', '127.0.0.1', `${servers[n]?.port}`);
  }
  const isUp = async (node: Redis) => {
    const info = String(await node.call('CLUSTER', 'INFO'));
    return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
  };
  while (!(await Promise.all(nodes.map(isUp))).every(Boolean)) await delay(100);
  for (const node of nodes) node.disconnect();
  return {
    url: `${servers[0]?.uri}?cluster=true`,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}
