import type { AddressInfo } from 'node:net';
import { buildApp } from './http/app.ts';
import { runProcess } from './process.ts';
import { openHttp } from './wiring/http.ts';

/** The API. It needs MongoDB only: what is to be done because of a change is handed on by the relay. */
await runProcess({
  name: 'api',
  needs: ['http', 'mongo', 'email', 'sms', 'push'],
  async start(context) {
    const { config, log, own } = context;
    const { deps, options } = await openHttp(context);
    const app = buildApp(deps, { ...options, log });
    own({ name: 'http', close: () => app.close() });
    await app.listen({ host: config.host, port: config.port });
    const { port } = app.server.address() as AddressInfo;
    log.info({ port }, 'http.listening');
  },
});
