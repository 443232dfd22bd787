import {
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { CommonConfig } from '../config/config.ts';
import type { Tracer } from './tracer.ts';

/** A tracer that sends its spans in batches by OTLP over HTTP. Lost spans are reported and never delay any work. */
export function openTelemetry(
  name: string,
  { endpoint, headers, share }: NonNullable<CommonConfig['tracing']>,
  onLost: (why: string) => void,
): Tracer & { name: string; close(): Promise<void> } {
  const ignore = () => {};
  const logger = { error: () => onLost('the collector did not take them'), warn: ignore, info: ignore, debug: ignore };
  diag.setLogger({ ...logger, verbose: ignore }, DiagLogLevel.ERROR);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'schoolbell', 'service.name': `schoolbell-${name}` }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers }))],
  });
  const tracer = provider.getTracer('schoolbell');
  return {
    start(step, parent, { kind, attributes = {}, startedAt } = {}) {
      const before = parent === undefined ? null : parsed(parent);
      const context = before ? trace.setSpanContext(ROOT_CONTEXT, before) : ROOT_CONTEXT;
      const span = tracer.startSpan(
        step,
        { attributes, ...(kind ? { kind: SpanKind[kind] } : {}), ...(startedAt ? { startTime: startedAt } : {}) },
        context,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceId,
        traceparent: `00-${traceId}-${spanId}-0${traceFlags}`,
        end(more = {}, failure) {
          span.setAttributes(more);
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
          span.end();
        },
      };
    },
    name: 'traces',
    close: () => provider.shutdown(),
  };
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]([0-9a-f])$/;

function parsed(traceparent: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : null;
}
