import type { Served } from './http-app.ts';

/** One operation of the OpenAPI document. `permissions`: any of them suffices; empty: any token suffices. */
export type Operation = { name: string; method: string; path: string; permissions: string[] };

type Document = { paths: Record<string, Record<string, { 'x-permissions'?: string[] }>> };

export async function operationsOf(ask: Served['ask']): Promise<Operation[]> {
  const { paths } = (await ask(null, 'GET', '/docs/json')).body as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { 'x-permissions': permissions = [] }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      permissions,
    })),
  );
}
