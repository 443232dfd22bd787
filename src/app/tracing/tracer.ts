import type { CommonConfig } from '../config/config.ts';
import type { ProcessContext } from '../process.ts';

type Attributes = Record<string, string | number>;

/** A step of a trace under way. */
export type Span = {
  readonly traceId: string;
  /** the parent of a step in another process (W3C Trace Context) */
  readonly traceparent: string;
  end(attributes?: Attributes, failure?: string): void;
};

type SpanStart = {
  kind?: 'SERVER' | 'PRODUCER' | 'CONSUMER' | 'CLIENT';
  attributes?: Attributes;
  /** when the step began, if it is known only later that it belongs to a trace */
  startedAt?: Date;
};

/** Records the steps of requests and messages for a collector. */
export type Tracer = {
  /** @param parent the traceparent of the step before; without a valid one a new trace begins */
  start(name: string, parent: string | undefined, of?: SpanStart): Span;
};

/** Loads OpenTelemetry and starts to send traces; null if no collector is set. */
export async function openTracer(
  name: string,
  settings: CommonConfig['tracing'],
  { log, own }: Pick<ProcessContext, 'log' | 'own'>,
): Promise<Tracer | null> {
  if (!settings) return null;
  const { openTelemetry } = await import('./open-telemetry.ts');
  const { close, ...tracer } = openTelemetry(name, settings, (why) => log.warn({ why }, 'traces.not_sent'));
  own({ name: 'traces', close });
  return tracer;
}
