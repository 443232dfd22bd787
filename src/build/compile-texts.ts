import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isStarted } from '../core/is-started.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const TEMPLATES = join(ROOT, 'templates');
export const BUNDLE = join(ROOT, 'dist/texts.json');

if (isStarted('src/build/compile-texts')) {
  try {
    // Imported here, because others only ask for the paths and loading mjml takes seconds.
    const { compileTexts } = await import('./compile-templates.ts');
    const compiled = await compileTexts(TEMPLATES);
    mkdirSync(dirname(BUNDLE), { recursive: true });
    // Renamed when it is whole, so that a reader always finds a complete bundle.
    const aside = `${BUNDLE}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(compiled));
    renameSync(aside, BUNDLE);
  } catch (error) {
    console.error(error instanceof Error && error.name === 'TemplateFaults' ? error.message : error);
    process.exitCode = 1;
  }
}
