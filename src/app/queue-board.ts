import { QUEUE_BOARD } from '../http/operations/queue-board-routes.ts';
import type { ProcessContext } from './process.ts';
import { queueSettings } from './queues.ts';

/** Loads the board of the queues, which logs what people change there. */
export async function openQueueBoard({ config, log, own }: ProcessContext<'mongo' | 'redis'>) {
  const { queueBoard } = await import('../queues/board.ts');
  const { plugin, close } = queueBoard(queueSettings(config), QUEUE_BOARD);
  own({ name: 'queue board', close });
  return { plugin, onChange: (change: Record<string, unknown>) => log.warn(change, 'queue_board.changed') };
}
