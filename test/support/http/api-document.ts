import type { Served } from './http-app.ts';

export type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json; example?: unknown }>;

/** One operation of the OpenAPI document. `permissions`: any of them suffices; empty: any token suffices. */
export type Operation = {
  /** such as `GET /api/v1/me` */
  name: string;
  method: string;
  path: string;
  permissions: string[];
  operationId: string;
  security?: unknown[];
  parameters?: { in: string; name: string; required?: boolean; schema: Json }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content; headers?: object }>;
};

export type Schema = Json & { enum?: (string | null)[]; items?: Schema; properties?: Record<string, Schema> };

type ApiDocument = {
  info: Json;
  paths: Record<string, Record<string, Operation & { 'x-permissions'?: string[] }>>;
  components: { schemas: Record<string, Schema> };
};

export const readDocument = async (ask: Served['ask']): Promise<ApiDocument> =>
  (await ask(null, 'GET', '/docs/json')).body;

export const operationsOf = ({ paths }: Pick<ApiDocument, 'paths'>): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { 'x-permissions': permissions = [], ...operation }]) => {
      const method = verb.toUpperCase();
      return { ...operation, name: `${method} ${path}`, method, path, permissions };
    }),
  );

/** The path with a value in the place of each parameter. */
export const fillPath = (path: string, fill: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => fill(name));
