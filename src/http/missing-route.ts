import type { FastifyInstance, FastifyRequest } from 'fastify';
import router, { type HTTPMethod } from 'find-my-way';
import { Refused } from '../core/errors.ts';

/** Tells an unknown address (404) from a method that the address does not support (405 with `Allow`). */
export function missingRoute(app: FastifyInstance): (request: FastifyRequest) => Refused {
  const methodsByUrl = new Map<string, Set<HTTPMethod>>();
  app.addHook('onRoute', ({ method, url }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each as HTTPMethod);
    methodsByUrl.set(url, methods);
  });
  // Built by the first such request: Fastify does not offer its own router, and most processes never need this one.
  let urls: ReturnType<typeof router> | undefined;
  return ({ url }) => {
    urls ??= routerOf(methodsByUrl);
    const methods: ReadonlySet<string> = urls.find('GET', url)?.store ?? new Set();
    if (methods.size === 0) return new Refused({ code: 'not_found' });
    return new Refused({ code: 'method_not_allowed', allow: [...methods].sort() });
  };
}

function routerOf(methodsByUrl: ReadonlyMap<string, Set<HTTPMethod>>) {
  const urls = router();
  for (const [url, methods] of methodsByUrl) urls.on('GET', url, () => {}, methods);
  return urls;
}
