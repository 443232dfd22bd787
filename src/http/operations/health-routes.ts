import { Type } from 'typebox';
import { Refused } from '../../core/errors.ts';
import type { Routes } from '../route.ts';

const config = { open: 'the platform calls it; the response contains no secrets', unlimited: true } as const;

/** Health checks: whether the process runs, and whether its dependencies answer. */
export function healthRoutes(routes: Routes): void {
  const document = (operationId: string, summary: string, properties: Record<string, Type.TSchema> = {}) => ({
    operationId,
    tags: ['health'],
    security: [],
    summary,
    response: { 200: Type.Object({ status: Type.String(), ...properties }, { description: 'Healthy' }) },
  });

  routes.app.get(
    '/health/live',
    { config, schema: document('checkLiveness', 'Check that the process runs') },
    async () => ({ status: 'ok' }),
  );

  const description = 'The state of each dependency: `ok` or a short reason.';
  const checks = Type.Record(Type.String(), Type.String(), { description });
  const schema = document('checkReadiness', 'Check that all dependencies answer', { checks });
  routes.app.get('/health/ready', { config: { ...config, refusals: ['busy'] }, schema }, async () => {
    const found = await routes.deps.ready();
    const failing = Object.keys(found).filter((part) => found[part] !== 'ok');
    if (failing.length === 0) return { status: 'ok', checks: found };
    throw new Refused({
      code: 'busy',
      detail: `Not ready: ${failing.join(', ')}.`,
      extra: { checks: found },
      retryAfter: 5,
    });
  });
}
