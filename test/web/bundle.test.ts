import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LANGUAGE_TAGS } from '../../src/web/texts/languages.ts';

const WEB = new URL('../../dist/web/', import.meta.url).pathname;
const kB = 1000;
const FIRST_ROUTE = 162 * kB;
const LAZY_ROUTE = 34 * kB;
const OTHER_TEXTS = 21 * kB;

type Chunk = { file: string; imports?: string[]; css?: string[] };
type Manifest = Record<string, Chunk>;

/** A chunk and all its imports. */
function needs(manifest: Manifest, name: string, known: Set<string> = new Set()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || known.has(name)) return known;
  known.add(name);
  for (const other of chunk.imports ?? []) needs(manifest, other, known);
  return known;
}

const filesOf = (manifest: Manifest, names: Iterable<string>): Set<string> =>
  new Set(
    [...names].flatMap((name) => [manifest[name]?.file ?? '', ...(manifest[name]?.css ?? [])]).filter((file) => file),
  );

const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(`${WEB}${file}.gz`).size, 0);

/** Budget violations: the first route is the calendar with its imports; every other page counts what it adds. */
function faults(manifest: Manifest, first: number, lazy: number): string[] {
  const base = new Set(
    ['index.html', 'texts/en/first.json', 'calendar/page.tsx'].flatMap((name) => [...needs(manifest, name)]),
  );
  const firstFiles = filesOf(manifest, base);
  const pages = Object.keys(manifest).filter((name) => /(^|\/)([a-z-]*page)\.tsx$/.test(name) && !base.has(name));
  expect(pages.length).toBeGreaterThan(5);
  const found = sizeOf(firstFiles) > first ? [`first route: ${sizeOf(firstFiles)}`] : [];
  for (const page of pages) {
    const added = sizeOf([...filesOf(manifest, needs(manifest, page))].filter((file) => !firstFiles.has(file)));
    if (added > lazy) found.push(`${page}: ${added}`);
  }
  return found;
}

const read = (): Manifest => JSON.parse(readFileSync(`${WEB}manifest.json`, 'utf8'));

it('keeps the first route within 162 kB, every other page within 34 kB more, and the texts of these within 21 kB, compressed', () => {
  const manifest = read();
  expect(faults(manifest, FIRST_ROUTE, LAZY_ROUTE)).toEqual([]);
  for (const language of LANGUAGE_TAGS)
    expect(sizeOf(filesOf(manifest, [`texts/${language}/others.json`])), language).toBeLessThan(OTHER_TEXTS);
});

it('reports routes over a budget', () => {
  const found = faults(read(), 10 * kB, kB);
  expect(found[0]).toMatch(/^first route: \d+$/);
  expect(found.some((fault) => fault.startsWith('editor/page.tsx'))).toBe(true);
});

it('ends no line of a Czech text with a word of one letter', () => {
  const [file] = filesOf(read(), ['texts/cs/others.json']);
  expect(readFileSync(`${WEB}${file}`, 'utf8')).toMatch(/Upozornění v(\u00a0|\\xA0)tomto prohlížeči/);
});
