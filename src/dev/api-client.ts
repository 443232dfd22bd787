/** A response of the API with its JSON body; an empty body is `{}`. */
type Answer<T = Record<string, unknown>> = { status: number; body: T; headers: Headers };

export type ApiRequest = {
  method?: 'GET' | 'POST' | 'PUT';
  /** an object is sent as JSON, a string as NDJSON */
  body?: unknown;
  headers?: Record<string, string>;
  /** the expected status, 200 by default */
  status?: number;
};

/** Calls the API with a token. @throws Error when the status is not the expected one */
export type ApiClient = <T = Record<string, unknown>>(
  token: string,
  path: string,
  ask?: ApiRequest,
) => Promise<Answer<T>>;

/** A client of the public API. `signal` aborts running requests. */
export function apiClient(apiUrl: string, signal: AbortSignal): ApiClient {
  return async <T>(
    token: string,
    path: string,
    { method = 'GET', body, headers = {}, status = 200 }: ApiRequest = {},
  ) => {
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
    return { status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
  };
}

/** Reads all pages of a list. */
export async function readAllRows<T>(ask: ApiClient, token: string, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer<{ data: T[]; next_cursor: string | null }> = await ask(
      token,
      `${path}?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    rows.push(...page.body.data);
    cursor = page.body.next_cursor;
  }
  return rows;
}
