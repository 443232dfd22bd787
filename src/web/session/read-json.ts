/** A value that this device keeps as JSON, if it has these texts; null if it is missing or invalid. */
export function readJson<T>(key: string, ...texts: (keyof T)[]): T | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
    return found && texts.every((name) => typeof found[name] === 'string') ? found : null;
  } catch {
    return null;
  }
}
