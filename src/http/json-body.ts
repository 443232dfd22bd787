import type { FastifyInstance } from 'fastify';
import { Refused } from '../kernel/errors.ts';

const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"?)? *$/i;

/**
 * JSON in UTF-8 is the only body that is read, and the type must say exactly that. An empty one is none. `__proto__` and
 * `constructor.prototype` are refused while reading.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
      done(new Refused({ code: 'unsupported_media_type', detail: 'application/json in UTF-8 is needed' }));
    } else if (body.length === 0) {
      done(null, undefined);
    } else {
      parse(request, String(body), done);
    }
  });
}
