import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { Refused } from '../core/errors.ts';

const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"?)? *$/i;
const PATCH_TYPE = /^application\/merge-patch\+json *(?:; *charset="?utf-8"?)? *$/i;

/**
 * Accepts only JSON in UTF-8 with exactly that content type; a PATCH may also be a merge patch (RFC 7396). An empty body
 * counts as none. The parser refuses `__proto__` and `constructor.prototype`.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const parserFor = (isAccepted: (type: string, method: string) => boolean) => {
    const parser: FastifyBodyParser<string> = (request, body, done) => {
      if (!isAccepted(request.headers['content-type'] ?? '', request.method)) {
        done(
          new Refused({
            code: 'unsupported_media_type',
            detail: 'Send `content-type: application/json` with a body in UTF-8.',
          }),
        );
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
    parserFor((type) => JSON_TYPE.test(type)),
  );
  const isPatch = (type: string, method: string) => method === 'PATCH' && PATCH_TYPE.test(type);
  app.addContentTypeParser('application/merge-patch+json', text, parserFor(isPatch));
}
