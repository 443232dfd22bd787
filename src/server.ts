import type { AddressInfo } from 'node:net';
import { CHANNEL_NEEDS } from './app/config/config.ts';
import { openHttp } from './app/http.ts';
import { refuseAddress, runProcess } from './app/process.ts';
import { buildApp } from './http/app.ts';

/** The API. It works while Redis is away: the relay publishes the facts that the API could not queue. */
await runProcess({
  name: 'api',
  needs: ['http', 'mongo', 'redis', 'files', 'webhooks', ...CHANNEL_NEEDS],
  async start(context) {
    const { config, log, own } = context;
    const { deps, options } = await openHttp(context);
    const app = buildApp(deps, { ...options, log });
    own({ name: 'http', close: () => app.close(), closeWithinMs: config.shutdownMs });
    // First, so that a fault of the app is not reported as one of its address.
    await app.ready();
    await app.listen({ host: config.host, port: config.port }).catch(refuseAddress('PORT'));
    const { port } = app.server.address() as AddressInfo;
    log.info({ port }, 'http.listening');
  },
});
