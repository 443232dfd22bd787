/** Within this time, the same change counts as a retry if its response was lost; later it counts as another one. */
const SAME_CHANGE_MS = 5 * 60_000;

type Open = { key: string; resource: string };

/** The keys of changes whose response was lost or that the server has not finished, by their content. */
const openKeys = new Map<string, Open>();

/** The event, or other record, that a request is about. */
const resourceOf = (url: string): string => new URL(url).pathname.split('/').slice(0, 6).join('/');

/**
 * Gives a change its idempotency key: if the browser, a form or the user repeats the request, the server returns the first
 * response. After another change of the same event it counts as a new one, since the first response would no longer hold.
 * @returns call it with the status of the response, 0 without one
 */
export async function setRequestKey(request: Request): Promise<(status: number) => void> {
  const { method, url, headers } = request;
  // A PUT states a whole, so it may be repeated without a key.
  if (method === 'GET' || method === 'PUT') return () => {};
  const content = [method, url, headers.get('if-match'), await request.clone().text()].join(' ');
  const open: Open = { key: openKeys.get(content)?.key ?? randomId(), resource: resourceOf(url) };
  headers.set('idempotency-key', open.key);
  return (status) => {
    // The server keeps every other response under the key, and would repeat a refusal.
    const isOpen = status === 0 || status === 409 || status === 429 || status >= 500;
    if (isOpen) {
      openKeys.set(content, open);
      setTimeout(() => openKeys.get(content) === open && openKeys.delete(content), SAME_CHANGE_MS);
    } else {
      for (const [other, { resource }] of openKeys) if (resource === open.resource) openKeys.delete(other);
    }
  };
}

/** 32 random hexadecimal digits. Browsers offer `randomUUID` only with https. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
