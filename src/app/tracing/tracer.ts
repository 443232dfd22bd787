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
