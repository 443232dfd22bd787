import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.ts';
import { FAULT_RULES } from '../../src/core/fault-rules.ts';
import { LOCALES } from '../../src/people/contact.ts';

const WEB = new URL('../../src/web/', import.meta.url).pathname;
type Texts = Record<string, string>;

const FILES = ['first', 'others'] as const;
const textsOf = (language: string, file: (typeof FILES)[number]): Texts =>
  JSON.parse(readFileSync(join(WEB, 'texts', language, `${file}.json`), 'utf8'));
const allOf = (language: string): Texts => ({ ...textsOf(language, 'first'), ...textsOf(language, 'others') });

/** Names of the values in a text, also in the branches of its plurals. */
function valuesOf(text: string): string[] {
  const names = new Set<string>();
  const walk = (parts: unknown): void => {
    for (const part of Array.isArray(parts) ? parts : []) {
      if (!Array.isArray(part)) continue;
      const [name, , branches] = part as [string, string?, unknown?];
      names.add(name);
      if (branches && typeof branches === 'object') Object.values(branches).forEach(walk);
    }
  };
  walk(compileMessage(text));
  return [...names].sort();
}

/** Names that only English or only another language has, empty texts, and texts whose values differ from those in English. */
function textFaults(english: Texts, others: Texts): string[] {
  return [...new Set([...Object.keys(english), ...Object.keys(others)])].flatMap((name) => {
    const [one, other] = [english[name], others[name]];
    if (one === undefined || other === undefined)
      return [`${name} is ${one === undefined ? 'not' : 'only'} in English`];
    if (one.trim() === '' || other.trim() === '') return [`${name} is empty`];
    const same = valuesOf(one).join() === valuesOf(other).join();
    return same ? [] : [`${name} takes ${valuesOf(one)} in English, ${valuesOf(other)} here`];
  });
}

/**
 * Visible words outside of the language files: text between tags, and attributes that are read out or shown. Proper names,
 * the start of an address, currency codes and signs do not count.
 */
function hardCoded(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const between = [...code.matchAll(/(?<![=-])>\s*([^<>{}()=;&|]*[a-z]{2,}[^<>{}()=;&|]*?)\s*<(?=\/?[a-zA-Z])/g)];
  const attributes = [
    ...code.matchAll(/\b(?:aria-label|title|placeholder|alt|label|aria-description)="([^"]*[a-zA-Z]{2,}[^"]*)"/g),
  ];
  return [...between, ...attributes]
    .map(([, text = '']) => text.trim())
    .filter((text) => !/^(Schoolbell|https:\/\/|[A-Z]{3})$/.test(text));
}

/** The texts that a source names, whole or by what their names begin with. */
function usedIn(source: string, ids: readonly string[]): string[] {
  const found = (pattern: RegExp) => new Set([...source.matchAll(pattern)].map(([, name = '']) => name));
  const whole = found(/'([\w.-]+)'/g);
  const beginnings = found(/(?:\bword(?:Options)?(?:<\w+>)?\('|`)([\w.-]+)(?:',|\.\$)/g);
  const beginsSo = (id: string) => [...id.matchAll(/\./g)].some(({ index }) => beginnings.has(id.slice(0, index)));
  return ids.filter((id) => whole.has(id) || beginsSo(id));
}

/** Texts that no page shows. */
function unusedIn(source: string, ids: readonly string[]): string[] {
  const used = new Set(usedIn(source, ids));
  return ids.filter((id) => !used.has(id));
}

const read = (path: string): string => readFileSync(join(WEB, path), 'utf8');

/** Scripts, and all that load with them: what they import when they are loaded, not later and not only types. */
function scriptsOf(paths: readonly string[], known: string[] = []): string[] {
  for (const path of paths.filter((one) => /\.tsx?$/.test(one) && !known.includes(one))) {
    known.push(path);
    const imports = [...read(path).matchAll(/^(?:import|export)(?! type)[^;]*? from '(\.[^']+)';/gm)];
    const files = imports.map(([, file = '']) => join(dirname(path), file));
    scriptsOf(files, known);
  }
  return known;
}

const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
const pages = sources.filter((path) => path.endsWith('.tsx'));

describe('the texts of the client', () => {
  it.each(LOCALES)('have the same names in English and in %s in each file', (language) => {
    for (const file of FILES) expect(textFaults(textsOf('en', file), textsOf(language, file))).toEqual([]);
  });

  it.each(LOCALES)('have a text in %s for every error code and every rule of a field', (language) => {
    const texts = allOf(language);
    const needed = [
      ...Object.keys(ERRORS).map((code) => `problem.${code}`),
      ...FAULT_RULES.map((rule) => `fault.${rule}`),
    ];
    expect(needed.filter((name) => !texts[name])).toEqual([]);
  });

  it('load with the first page if its scripts show them, and only then', () => {
    const early = scriptsOf(['main.tsx', 'calendar/page.tsx']);
    expect(early).toContain('calendar/toolbar.tsx');
    expect(early).not.toContain('editor/page.tsx');
    const shown = new Set(early.flatMap((path) => usedIn(read(path), Object.keys(allOf('en')))));
    const [first, others] = FILES.map((file) => Object.keys(textsOf('en', file))) as [string[], string[]];
    expect(
      others.filter((id) => shown.has(id)),
      'these belong in first.json',
    ).toEqual([]);
    expect(
      first.filter((id) => !shown.has(id)),
      'these belong in others.json',
    ).toEqual([]);
  });

  it('are all shown somewhere', () => {
    const source = sources.map(read).join('\n');
    expect(unusedIn(source, Object.keys(allOf('en')))).toEqual([]);
  });

  it.each(pages)('contain every visible word of %s', (path) => {
    expect(hardCoded(read(path))).toEqual([]);
  });

  it.each([
    ['a text one language lacks', () => textFaults({ a: 'A' }, {})],
    ['an empty text', () => textFaults({ a: 'A' }, { a: ' ' })],
    ['another value', () => textFaults({ a: '{n} seats' }, { a: '{m} míst' })],
    ['a value one forgets', () => textFaults({ a: '{count, plural, other {#}}' }, { a: 'mnoho' })],
    ['a sentence between tags', () => hardCoded('return <p className="x">Nothing here</p>;')],
    ['a sentence over lines', () => hardCoded('<p>\n  Nothing here\n</p>')],
    ['a text of a later page', () => usedIn("t('ops.title')", ['ops.title'])],
    ['a word of a later page', () => usedIn("word('queue', one)", ['queue.sms'])],
    ['options of a later page', () => usedIn("wordOptions('queue', all)", ['queue.sms'])],
    ['a part of a text’s name', () => usedIn('`ops.show.$', ['ops.show.all'])],
    ['a text that nothing shows', () => unusedIn("t('ops.title')", ['ops.title', 'ops.old'])],
    ['a label', () => hardCoded('<button aria-label="Close">')],
  ])('fail the check for %s', (_what, faults) => {
    expect(faults()).toHaveLength(1);
  });

  it('do not include code and signs', () => {
    const source = `
      type A = Record<string, B<C>>; const f = (a: X) => a < 3 && b > 2;
      // <p>Old words</p>
      return <p title={t('x')}>{t('a')}<span aria-hidden> · </span></p>;`;
    expect(hardCoded(source)).toEqual([]);
  });
});
