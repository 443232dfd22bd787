/** An answer of the API; its body is read as JSON where there is one. */
export type Answer<T = Record<string, unknown>> = { status: number; body: T; headers: Headers };

export type Ask = {
  method?: 'GET' | 'POST' | 'PUT';
  /** an object goes as JSON, a text as NDJSON */
  body?: unknown;
  headers?: Record<string, string>;
  /** the status that is foreseen, 200 by default */
  status?: number;
};

/** Asks the API as somebody; whatever isn't answered as foreseen is thrown. */
export type Asker = <T = Record<string, unknown>>(token: string, path: string, ask?: Ask) => Promise<Answer<T>>;

/** A client of the public API. `signal` ends what is under way. */
export function apiClient(apiUrl: string, signal: AbortSignal): Asker {
  return async <T>(token: string, path: string, { method = 'GET', body, headers = {}, status = 200 }: Ask = {}) => {
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
      throw new Error(`${method} ${path} was answered ${response.status} instead of ${status}: ${text.slice(0, 500)}`);
    }
    return { status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
  };
}

/** All rows of a list, page by page. */
export async function allRows<T>(ask: Asker, token: string, path: string): Promise<T[]> {
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
