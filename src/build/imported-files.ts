import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** A built file and all files that it imports, directly or not, without libraries. */
export function importedFiles(entry: string, known = new Set<string>()): Set<string> {
  if (known.has(entry)) return known;
  let text: string;
  try {
    text = readFileSync(entry, 'utf8');
  } catch {
    return known;
  }
  known.add(entry);
  for (const [, path = ''] of text.matchAll(IMPORT)) importedFiles(resolve(dirname(entry), path), known);
  return known;
}
