/** For so long, a change whose answer was lost counts as tried again rather than as another one. */
const SAME_CHANGE_MS = 5 * 60_000;

/** Keys of the changes that the server may have made without an answer, or has yet to make, by their content. */
const openKeys = new Map<string, string>();

/**
 * Gives a change its idempotency key: if the browser, a form or the user repeats the request, the server returns the first
 * response.
 * @returns call it with the status of the response, 0 without one
 */
export async function setRequestKey(request: Request): Promise<(status: number) => void> {
  const { method, url, headers } = request;
  // A PUT states a whole, so it may be repeated without a key.
  if (method === 'GET' || method === 'PUT') return () => {};
  const content = [method, url, headers.get('if-match'), await request.clone().text()].join(' ');
  const key = openKeys.get(content) ?? crypto.randomUUID();
  headers.set('idempotency-key', key);
  return (status) => {
    // The server keeps every other response under the key, and would repeat a refusal.
    const isOpen = status === 0 || status === 409 || status === 429 || status >= 500;
    if (!isOpen) return void openKeys.delete(content);
    openKeys.set(content, key);
    setTimeout(() => openKeys.delete(content), SAME_CHANGE_MS);
  };
}
