import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, Refused } from '../core/errors.ts';
import type { IdempotencyRecord, RecordReply, StoredReply } from '../core/idempotency-record.ts';
import { hashOf } from '../core/ids.ts';
import type { Caller } from '../people/caller.ts';
import type { RouteDeps } from './deps.ts';
import { problemReply } from './error-handler.ts';
import type { ApiResponse } from './route-definition.ts';

/**
 * Runs a handler at most once per caller, route and idempotency key. The change and the idempotency record are one
 * transaction, so a repeated request finds either the stored reply or no change at all. Refusals are stored too, except
 * 409, 429 and 5xx: a retry may succeed after them, so they release the key.
 * @throws Refused `idempotency_key_reused`, `idempotency_in_flight`, and the refusals that release the key
 */
export async function runOnce(
  deps: RouteDeps,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (deps: RouteDeps, recordReply?: RecordReply<ApiResponse>) => Promise<ApiResponse>,
  grouped: boolean,
): Promise<StoredReply> {
  const { idempotency } = deps;
  const key = keyOf(request, caller);
  const begun = await idempotency.begin(key, bodyHash(request), caller);
  if (begun.kind === 'stored')
    return { ...begun.reply, headers: { ...begun.reply.headers, 'idempotency-replayed': 'true' } };
  if (begun.kind === 'running') {
    const detail = 'The first request is still running. Repeat it in a moment.';
    throw new Refused({ code: 'idempotency_in_flight', detail });
  }
  if (begun.kind === 'reused') {
    const detail =
      'You sent this key before with another body or other parameters. Use a new key for every new request.';
    throw new Refused({ code: 'idempotency_key_reused', detail });
  }
  const { token } = begun;
  try {
    if (grouped) return await runInGroup(deps, reply, { key, token }, run);
    return await deps.transact(async (tx) => {
      const response = await run({ ...deps, transact: (work) => work(tx) });
      const stored = storedReply(response, reply);
      await idempotency.finish(key, token, stored, tx);
      return stored;
    });
  } catch (error) {
    const refused = storableRefusal(error, request, deps.publicUrl);
    const ended = refused ? idempotency.finish(key, token, refused) : idempotency.abandon(key, token);
    // The request changed nothing, so the response is right even if this fails: the lease of the key expires.
    await ended.catch(() => {});
    if (!refused) throw error;
    return refused;
  }
}

/** Runs a handler whose change shares a transaction with other requests. That transaction stores all their replies. */
async function runInGroup(
  deps: RouteDeps,
  reply: FastifyReply,
  running: Pick<IdempotencyRecord, 'key' | 'token'>,
  run: (deps: RouteDeps, recordReply: RecordReply<ApiResponse>) => Promise<ApiResponse>,
): Promise<StoredReply> {
  let stored: StoredReply | null = null;
  const response = await run(deps, (decided) => {
    stored = storedReply(decided, reply);
    return { ...running, reply: stored };
  });
  return stored ?? storedReply(response, reply);
}

function keyOf({ method, routeOptions, params, headers }: FastifyRequest, caller: Caller): string {
  const { tenant_id, school_id, user_id } = caller;
  const key = String(headers['idempotency-key']);
  return hashOf(tenant_id, school_id, user_id, method, routeOptions.url ?? '', JSON.stringify(params), key);
}

const bodyHash = ({ body, query }: FastifyRequest): string =>
  hashOf(JSON.stringify(body ?? null), JSON.stringify(query));

function storedReply({ status, body, headers = {} }: ApiResponse, reply: FastifyReply): StoredReply {
  if (body === undefined) return { status, headers, body: '' };
  const text = reply.code(status).serialize(body);
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: String(text) };
}

function storableRefusal(error: unknown, request: FastifyRequest, publicUrl: string): StoredReply | null {
  if (!(error instanceof Refused)) return null;
  const { status } = ERRORS[error.refusal.code];
  if (status === 409 || status === 429 || status >= 500) return null;
  return problemReply(error.refusal, request.id, publicUrl);
}
