import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { Refused } from '../core/errors.ts';

const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"?)? *$/i;
const PATCH_TYPE = /^application\/merge-patch\+json *(?:; *charset="?utf-8"?)? *$/i;

/**
 * JSON in UTF-8 is the only body that is read, and the type must say exactly that. An empty one is none. `__proto__` and
 * `constructor.prototype` are refused while reading. A PATCH may also call it a merge patch (RFC 7396).
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const read = (isRead: (type: string, method: string) => boolean) => {
    const parser: FastifyBodyParser<string> = (request, body, done) => {
      if (!isRead(request.headers['content-type'] ?? '', request.method)) {
        done(new Refused({ code: 'unsupported_media_type', detail: 'application/json in UTF-8 is needed' }));
      } else if (body.length === 0) {
        done(null, undefined);
      } else {
        parse(request, String(body), done);
      }
    };
    return parser;
  };
  const text = { parseAs: 'string' } as const;
  app.addContentTypeParser(
    'application/json',
    text,
    read((type) => JSON_TYPE.test(type)),
  );
  const isPatch = (type: string, method: string) => method === 'PATCH' && PATCH_TYPE.test(type);
  app.addContentTypeParser('application/merge-patch+json', text, read(isPatch));
}
