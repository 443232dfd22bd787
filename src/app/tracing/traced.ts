import { AsyncLocalStorage } from 'node:async_hooks';
import type { HttpOptions } from '../../http/deps.ts';
import { type DeliverDeps, deliver, type Job } from '../../notifications/delivery/deliver.ts';
import { type FanOutDeps, fanOut } from '../../notifications/fan-out/fan-out.ts';
import type { FactQueue, FactStore } from '../../outbox/ports.ts';
import type { Span, Tracer } from './tracer.ts';

/** Reports a recorded result, with the trace that it belongs to. */
export type DeliveryReport = (...of: [...Parameters<DeliverDeps['report']>, traceId?: string]) => void;

/** The request that runs, which the facts that it records belong to. */
const current = new AsyncLocalStorage<Span>();

/** Traces requests; each continues the trace of its caller, if it names one. */
export const traceRequests =
  (tracer: Tracer): NonNullable<HttpOptions['traceRequest']> =>
  ({ method, route, traceparent }) => {
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = tracer.start(`${method} ${route}`, traceparent, { kind: 'SERVER', attributes });
    return {
      traceId: span.traceId,
      run: (work) => current.run(span, work),
      end: (status) => span.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined),
    };
  };

/** Gives facts the trace of the request that records them; facts of the clock and of other workers begin one. */
export const traceFacts = (tracer: Tracer, facts: FactStore): FactStore => ({
  ...facts,
  async record(recorded, tx) {
    const [first] = recorded;
    if (!first) return facts.record(recorded, tx);
    const request = current.getStore();
    const span = request ?? tracer.start(`record ${first.type}`, undefined);
    if (!request) span.end({ 'schoolbell.facts': recorded.length });
    return facts.record(
      recorded.map((fact) => ({ ...fact, traceparent: span.traceparent })),
      tx,
    );
  },
});

/** A step for each fact that is put on the queue, by the process that recorded it or by the relay. */
export const traceQueue = (tracer: Tracer, queue: FactQueue): FactQueue => ({
  ...queue,
  async publish(facts) {
    const spans = facts.flatMap(({ id, type, traceparent }) =>
      traceparent === undefined
        ? []
        : tracer.start('relay', traceparent, { kind: 'PRODUCER', attributes: about({ id, type }) }),
    );
    const end = (failure?: string) => {
      for (const span of spans) span.end({}, failure);
    };
    await queue.publish(facts).catch((error) => {
      end('the queue did not take it');
      throw error;
    });
    end();
  },
});

const about = ({ id, type }: { id: string; type: string }) => ({ 'schoolbell.fact_id': id, 'schoolbell.fact': type });

type Reporting<Deps> = Deps & { report: DeliveryReport };

/**
 * Fans out a fact in a step of its trace.
 * @returns how many rows were drafted, and the trace, if the fact has one
 */
export async function fanOutTraced(tracer: Tracer, deps: Reporting<FanOutDeps>, fact_id: string, part?: number) {
  const startedAt = new Date();
  let span: Span | undefined;
  const facts: FactStore = {
    ...deps.facts,
    // The trace is known once the fact is loaded.
    async findWithParts(id) {
      const found = await deps.facts.findWithParts(id);
      const { traceparent } = found?.fact ?? {};
      if (found && traceparent !== undefined)
        span = tracer.start('fan-out', traceparent, { kind: 'CONSUMER', attributes: about(found.fact), startedAt });
      return found;
    },
  };
  const report: DeliveryReport = (result, row) => deps.report(result, row, span?.traceId);
  try {
    const rows = await fanOut({ ...deps, facts, report }, fact_id, part);
    span?.end({ 'schoolbell.rows': rows, ...(part === undefined ? {} : { 'schoolbell.part': part }) });
    return { rows, traceId: span?.traceId };
  } catch (error) {
    span?.end({}, 'failed');
    throw error;
  }
}

/**
 * Works on a delivery job. A job has messages of one or more facts: each fact gets a step of its trace, and within it the first
 * message and each that the provider did not accept. A step for every message would cost a sixth of the speed.
 */
export async function deliverTraced(tracer: Tracer, deps: Reporting<DeliverDeps>, job: Job): Promise<string[]> {
  const startedAt = new Date();
  const { channel } = deps.adapter;
  const parents = new Map<string, string>();
  const steps = new Map<string, { span: Span; messages: number }>();
  const stepOf = (fact_id: string) => {
    const parent = parents.get(fact_id);
    const known = steps.get(fact_id);
    if (known || parent === undefined) return known;
    const attributes = { 'schoolbell.fact_id': fact_id, 'schoolbell.channel': channel };
    const step = { span: tracer.start('deliver', parent, { kind: 'CONSUMER', attributes, startedAt }), messages: 0 };
    steps.set(fact_id, step);
    return step;
  };
  const facts: FactStore = {
    ...deps.facts,
    async findMany(ids) {
      const found = await deps.facts.findMany(ids);
      for (const { id, traceparent } of found) if (traceparent !== undefined) parents.set(id, traceparent);
      return found;
    },
  };
  const adapter: DeliverDeps['adapter'] = {
    ...deps.adapter,
    async send(message) {
      const { id, fact_id, trigger } = message.delivery;
      const step = stepOf(fact_id);
      if (!step) return deps.adapter.send(message);
      step.messages += 1;
      const isFirst = step.messages === 1;
      const sentAt = new Date();
      const outcome = await deps.adapter.send(message);
      const isAccepted = outcome.kind === 'accepted';
      if (isFirst || !isAccepted) {
        const attributes = { 'schoolbell.delivery_id': id, 'schoolbell.trigger': trigger };
        tracer
          .start('send', step.span.traceparent, { kind: 'CLIENT', attributes, startedAt: sentAt })
          .end({ 'schoolbell.outcome': outcome.kind }, isAccepted ? undefined : outcome.kind);
      }
      return outcome;
    },
  };
  const report: DeliveryReport = (result, row) => deps.report(result, row, stepOf(row.fact_id)?.span.traceId);
  try {
    return await deliver({ ...deps, facts, adapter, report }, job);
  } finally {
    for (const { span, messages } of steps.values()) span.end({ 'schoolbell.messages': messages });
  }
}
