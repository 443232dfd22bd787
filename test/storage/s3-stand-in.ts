import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { listen } from '../support/listen.ts';

const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The signature that a request must have (AWS Signature Version 4), computed from what arrived. */
function signatureOf(request: IncomingMessage, body: Buffer, secret: string): { given: string; expected: string } {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': digest = '' } = request.headers;
  const [, scope = '', signed = '', given = ''] =
    /Credential=[^/]+\/([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(authorization) ?? [];
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const payload = digest === 'UNSIGNED-PAYLOAD' ? digest : sha(body);
  const asked = [request.method, request.url, '', headers.join(''), signed, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', String(date), scope, sha(asked)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((part, next) => hmac(part, next), `AWS4${secret}`);
  return { given, expected: hmac(key, text).toString('hex') };
}

/** A bucket in memory that refuses requests without a valid signature. `fail` answers 500 to that many requests. */
export async function startS3StandIn(secret: string) {
  const objects = new Map<string, { type: string; body: Buffer }>();
  const state = { fail: 0 };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { given, expected } = signatureOf(request, body, secret);
    const found = objects.get(request.url ?? '');
    const answer = (status: number, more: Buffer | string = '') => response.writeHead(status).end(more);
    if (given !== expected) return answer(403, 'SignatureDoesNotMatch');
    if (state.fail > 0) {
      state.fail -= 1;
      return answer(500);
    }
    if (request.method === 'PUT') {
      objects.set(request.url ?? '', { type: String(request.headers['content-type']), body });
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(request.url ?? '');
      return answer(204);
    }
    return found ? answer(200, found.body) : answer(404);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, objects, state, stop: () => new Promise((done) => server.close(done)) };
}
