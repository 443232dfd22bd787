import { Histogram, type Registry } from 'prom-client';
import type { HttpOptions } from '../http/deps.ts';

/** Times requests by route, so that the number of series is bounded whatever paths are requested. */
export function timeRequests(metrics: Registry): NonNullable<HttpOptions['onAnswered']> {
  const durations = new Histogram({
    name: 'schoolbell_http_request_duration_seconds',
    help: 'Requests by route and status; live streams are left out',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  return ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds);
}
