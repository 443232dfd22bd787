import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, Refused } from '../core/errors.ts';
import type { IdempotencyRecord, IdempotencyStore, StoredReply } from '../core/idempotency-record.ts';
import { digestOf } from '../core/ids.ts';
import type { Caller } from '../people/caller.ts';
import type { RouteDeps } from './deps.ts';
import { problemReply } from './problem.ts';
import type { Answer } from './route.ts';

/**
 * Runs a handler at most once per caller, route and key (decisions.md, "idempotency"). What it changes and the reply are
 * one transaction, so that a repeated request either finds the reply or finds nothing done. Refusals are kept too,
 * except those that time may heal: 409, 429 and 5xx free the key.
 * @throws Refused `idempotency_key_reused`, `idempotency_in_flight`, and what frees the key
 */
export async function answerOnce(
  deps: RouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (deps: RouteDeps, keep?: KeepAnswer) => Promise<Answer>,
  { grouped = false }: { grouped?: boolean } = {},
): Promise<StoredReply> {
  const { idempotency } = deps;
  const caller = callerOf(request);
  const key = keyOf(request, caller);
  const begun = await idempotency.begin(key, bodyDigest(request), caller);
  switch (begun.kind) {
    case 'stored':
      return { ...begun.reply, headers: { ...begun.reply.headers, 'idempotency-replayed': 'true' } };
    case 'running':
      throw new Refused({ code: 'idempotency_in_flight', detail: 'ask again in a moment' });
    case 'reused':
      throw new Refused({ code: 'idempotency_key_reused', detail: 'the first request with this key had another body' });
    case 'started':
      break;
  }
  const { token } = begun;
  try {
    if (grouped) return await answerOfGroup(deps, reply, { key, token }, run);
    return await deps.transact(async (tx) => {
      const answer = await run({ ...deps, transact: (work) => work(tx) });
      const stored = storedReply(answer, reply);
      await idempotency.finish(key, token, stored, tx);
      return stored;
    });
  } catch (error) {
    const refused = keptRefusal(error, request, deps.publicUrl);
    if (!refused) {
      await settle(idempotency.abandon(key, token));
      throw error;
    }
    await settle(idempotency.finish(key, token, refused));
    return refused;
  }
}

/** Turns an answer into the record to store in the transaction of its change. */
export type KeepAnswer = (answer: Answer) => IdempotencyRecord;

/** The change is decided in a group with others, whose transaction stores the replies of all of them. */
async function answerOfGroup(
  deps: RouteDeps,
  reply: FastifyReply,
  running: Pick<IdempotencyRecord, 'key' | 'token'>,
  run: (deps: RouteDeps, keep: KeepAnswer) => Promise<Answer>,
): Promise<StoredReply> {
  let kept: StoredReply | null = null;
  const answer = await run(deps, (decided) => {
    kept = storedReply(decided, reply);
    return { ...running, reply: kept };
  });
  return kept ?? storedReply(answer, reply);
}

function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('an idempotency key belongs to a caller');
  return caller;
}

function keyOf({ method, routeOptions, params, headers }: FastifyRequest, caller: Caller): string {
  const { tenant_id, school_id, user_id } = caller;
  const key = String(headers['idempotency-key']);
  return digestOf(tenant_id, school_id, user_id, method, routeOptions.url ?? '', JSON.stringify(params), key);
}

const bodyDigest = ({ body, query }: FastifyRequest): string =>
  digestOf(JSON.stringify(body ?? null), JSON.stringify(query));

function storedReply({ status, body, headers = {} }: Answer, reply: FastifyReply): StoredReply {
  if (body === undefined) return { status, headers, body: '' };
  const text = reply.code(status).serialize(body);
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: String(text) };
}

function keptRefusal(error: unknown, request: FastifyRequest, publicUrl: string): StoredReply | null {
  if (!(error instanceof Refused)) return null;
  const { status } = ERRORS[error.refusal.code];
  if (status === 409 || status === 429 || status >= 500) return null;
  return problemReply(error.refusal, request.id, publicUrl);
}

// Nothing was changed, so the answer is right even if the key could not be freed: its lock expires after ten seconds.
const settle = (done: ReturnType<IdempotencyStore['abandon']>): Promise<void> => done.catch(() => undefined);
