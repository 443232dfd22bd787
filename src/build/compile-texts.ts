import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { filesBelow } from '../channels/templates/template-files.ts';
import { isStarted } from '../core/is-started.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const TEMPLATES = join(ROOT, 'templates');
export const BUNDLE = join(ROOT, 'dist/texts.json');

/**
 * Builds the bundle, unless it is newer than its sources. Writes a temporary file and renames it, so that a reader always
 * finds a complete bundle.
 *
 * @throws TemplateFaults that names every faulty file, placeholder and rule
 */
export async function buildTexts(templates = TEMPLATES, bundle = BUNDLE): Promise<'built' | 'fresh'> {
  if (isFresh(templates, bundle)) return 'fresh';
  // imported lazily, because loading mjml takes ten times as long as the rest
  const { compileTexts } = await import('./compile-templates.ts');
  const compiled = await compileTexts(templates);
  mkdirSync(dirname(bundle), { recursive: true });
  const aside = `${bundle}.${process.pid}`;
  writeFileSync(aside, JSON.stringify(compiled));
  renameSync(aside, bundle);
  return 'built';
}

/** Folders count too, because only their date changes when a file is removed. */
function isFresh(templates: string, bundle: string): boolean {
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return false;
  const files = pathsBelow(templates);
  const folders = new Set(files.flatMap((file) => [dirname(file), dirname(dirname(file))]));
  const compilers = [createRequire(import.meta.url).resolve('mjml/package.json'), ...sources()];
  const inputs = [...files, ...folders, ...compilers];
  return inputs.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < made);
}

/** The folders of the compiler, and of the triggers, languages and values. */
const SOURCE_FOLDERS = ['build', 'channels/templates', 'notifications/policy', 'notifications/content'];

const sources = (): string[] => [
  ...SOURCE_FOLDERS.flatMap((folder) => pathsBelow(join(ROOT, 'src', folder))),
  join(ROOT, 'src/people/contact.ts'),
];

const pathsBelow = (folder: string): string[] => filesBelow(folder).map((file) => join(folder, file));

if (isStarted('src/build/compile-texts')) {
  try {
    console.log(`texts: ${await buildTexts()}`);
  } catch (error) {
    console.error(error instanceof Error && error.name === 'TemplateFaults' ? error.message : error);
    process.exitCode = 1;
  }
}
