export type ApiRequest = {
  method?: 'GET' | 'POST' | 'PUT';
  /** an object is sent as JSON, a string as NDJSON */
  body?: unknown;
  headers?: Record<string, string>;
  /** the expected status, 200 by default */
  status?: number;
};

export type ApiClient = ReturnType<typeof apiClient>;

/**
 * Creates a client of the public API; `signal` aborts its running requests. The client resolves an empty body to `{}`, and
 * throws an Error if the status is not the expected one.
 */
export function apiClient(apiUrl: string, signal: AbortSignal) {
  return async <T = Record<string, unknown>>(token: string, path: string, request: ApiRequest = {}) => {
    const { method = 'GET', body, headers = {}, status = 200 } = request;
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const response = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${method} ${path} returned ${response.status} instead of ${status}: ${text.slice(0, 500)}`);
    }
    return { headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
  };
}

/** Reads all pages of a list. */
export async function readAllRows<T>(ask: ApiClient, token: string, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask<{ data: T[]; next_cursor: string | null }>(token, `${path}?limit=100${after}`);
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  return rows;
}
