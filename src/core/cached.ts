/**
 * Keeps the answer of `load` for so many milliseconds. Callers share one call while it runs, so that any number of them
 * costs one. A failure is not kept.
 */
export function cached<T>(forMs: number, load: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    if (answer) return answer;
    const asked = load();
    answer = asked;
    const forget = () => {
      if (answer === asked) answer = null;
    };
    asked.then(() => setTimeout(forget, forMs).unref(), forget);
    return asked;
  };
}
