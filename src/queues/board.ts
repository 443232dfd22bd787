import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { PRIORITIES } from '../core/priority.ts';
import type { QueueSettings } from './connection.ts';
import { QUEUES } from './names.ts';
import { queueSet } from './publisher.ts';

/**
 * Bull Board: pages that show the queues and their jobs. It checks no permission.
 * @param path the path of its pages
 */
export function queueBoard(settings: QueueSettings, path: string) {
  const { queue, close } = queueSet(settings);
  const queues = QUEUES.flatMap((name) => PRIORITIES.map((priority) => queue(name, priority)));
  const serverAdapter = new FastifyAdapter().setBasePath(path);
  createBullBoard({
    queues: queues.map((one) => new BullMQAdapter(one)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Schoolbell', hideDocsLink: true } },
  });
  return { plugin: serverAdapter.registerPlugin(), close };
}
