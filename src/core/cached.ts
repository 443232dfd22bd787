/**
 * Caches the result of `load` for `forMs` milliseconds. Calls made while a load runs share it; a failed load is not
 * cached.
 */
export function cached<T>(forMs: number, load: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  return () => {
    if (current) return current;
    const loading = load();
    current = loading;
    const forget = () => {
      if (current === loading) current = null;
    };
    loading.then(() => setTimeout(forget, forMs).unref(), forget);
    return loading;
  };
}
