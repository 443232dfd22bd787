import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A browser client of one page and one script, in a separate folder. */
export function clientFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-client-'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['index.html', 'assets/a.js']) writeFileSync(join(folder, name), 'x');
  writeFileSync(join(folder, 'pages.json'), '["/","/events"]');
  return folder;
}
