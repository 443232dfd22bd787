import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `onChange` on every change below these folders. Each folder has its own watcher, because Node's recursive one loses
 * files that an editor replaces.
 */
export function watchFolders(folders: readonly string[], onChange: () => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>();

  function add(folder: string): void {
    if (!watchers.has(folder)) {
      const watcher = watch(folder, () => {
        refresh(folder);
        onChange();
      });
      watcher.on('error', () => remove(folder));
      watchers.set(folder, watcher);
    }
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) add(join(folder, entry.name));
  }

  function refresh(folder: string): void {
    try {
      add(folder);
    } catch {
      remove(folder);
    }
  }

  function remove(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  for (const folder of folders) add(folder);
  return {
    close() {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
