import { type CollectFunction, Counter, type Registry } from 'prom-client';

/** The counter of this name, which workers in one process share. @param collect runs before each scrape */
export function counterIn(
  metrics: Registry,
  name: string,
  help: string,
  labelNames: string[],
  collect: CollectFunction<Counter> = () => {},
): Counter {
  const known = metrics.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help, labelNames, registers: [metrics], collect });
}
