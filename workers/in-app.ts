import { defineWorker } from '../src/app/define-worker.ts';
import { openStores } from '../src/app/stores.ts';

/** Has no work, because the fan-out writes in-app messages; kept for operators who still start it. */
defineWorker({
  name: 'in-app',
  needs: ['mongo'],
  async start(context) {
    await openStores(context);
    context.log.warn('in_app.nothing_to_do');
  },
});
