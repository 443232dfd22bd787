import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileTexts } from '../../../src/build/compile-templates.ts';
import { TEMPLATES } from '../../../src/build/compile-texts.ts';
import { BUNDLE_FORMAT, type Bundle, loadTexts } from '../../../src/channels/templates/catalogue.ts';
import { readTemplate } from '../../../src/channels/templates/read-template.ts';
import { isCondition, isPlaceholder, PLACEHOLDERS, placeholdersIn } from '../../../src/channels/templates/template.ts';
import { type PreviewFile, previewOf } from '../../../src/cli/preview.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { LOCALES } from '../../../src/people/contact.ts';
import { textOf } from '../../guards/text-of.ts';
import { contentFor, jana } from './texts-samples.ts';

let templates: string;
let bundle: Bundle;
const put = (path: string, text: string) => {
  mkdirSync(join(templates, path, '..'), { recursive: true });
  writeFileSync(join(templates, path), text);
};
beforeAll(async () => {
  templates = mkdtempSync(join(tmpdir(), 'texts-own-'));
  cpSync(TEMPLATES, templates, { recursive: true });
  put('tenants/tenant-1/event-cancelled/en/sms.txt', 'OFF: {{event.title}} {{event.url}}\n');
  bundle = await compileTexts(templates);
});
afterAll(() => rmSync(templates, { recursive: true, force: true }));

/** Values that only short texts use. */
const SHORT = ['when_short', 'previous_when_short', 'asks_acknowledgement'];

test.each(LOCALES)('the e-mails in %s use every value of an event, as text and in HTML', (locale) => {
  const values = Object.keys(contentFor('event.published').event).filter((name) => !SHORT.includes(name));
  for (const kind of ['text', 'html'] as const) {
    const parts = ALL_TRIGGERS.flatMap((trigger) => bundle.texts[trigger][locale].email[kind]);
    const used = new Set([...placeholdersIn(parts)].map(({ name }) => name as string));
    expect(
      values.filter((name) => !used.has(`event.${name}`)),
      kind,
    ).toEqual([]);
  }
});

test('has every placeholder in the table of the documentation', () => {
  const rows = textOf('docs/templates.md')
    .split('\n')
    .map((line) => line.match(/^\| `([a-z]+\.\w+)` \| (.*) \|$/) ?? []);
  const documented = rows.flatMap(([, name, text]) => (name ? [[name, (text ?? '').startsWith('whether')]] : []));
  expect(documented).toEqual([...PLACEHOLDERS].filter(isPlaceholder).map((name) => [name, isCondition(name)]));
});

describe('a tenant that overrides a text', () => {
  const sms = (tenant_id: string, locale: 'en' | 'cs' = 'en') => {
    const content = { ...contentFor('event.cancelled', { channel: 'sms', locale }), tenant_id };
    return loadTexts(bundle).sms(content).fill(jana);
  };

  test('gets its own text, and all other tenants get ours', () => {
    expect(sms('tenant-1')).toMatch(/^OFF: Autumn fair http/);
    expect(sms('tenant-2')).toContain('CANCELLED');
    expect(sms('constructor')).toContain('CANCELLED');
  });

  test('gets our text for every other channel and language', () => {
    expect(sms('tenant-1', 'cs')).toContain('ZRUSENO');
    const content = contentFor('event.cancelled', { channel: 'push' });
    expect(loadTexts(bundle).push(content).fill(jana).title).toBe(
      loadTexts(bundle)
        .push({ ...content, tenant_id: 'tenant-2' })
        .fill(jana).title,
    );
  });

  test('has a version of its own', () => {
    const { version } = loadTexts(bundle);
    const of = (tenant_id: string) => version({ trigger: 'event.cancelled', locale: 'en', tenant_id });
    expect(of('tenant-1')).toMatch(/^[0-9a-f]{12}$/);
    expect(of('tenant-1')).not.toBe(of('tenant-2'));
  });
});

test.each([
  ['prints', '{{event.reason}}'],
  ['asks for', '{{#if event.reason}}MASCOT{{/if}}'],
])('a text of a newer version that %s an unknown value is replaced by our text', (_, source) => {
  const content = contentFor('event.cancelled', { channel: 'sms' });
  const texts = loadTexts(bundle);
  const written = (sms: string) => {
    const body = JSON.parse(JSON.stringify(readTemplate(sms, () => {})).replaceAll('event.reason', 'event.mascot'));
    const id = `event.cancelled en ${sms}`;
    const text = { ...bundle.texts['event.cancelled'].en, version: sms, sms: { body } };
    texts.learn([id], [{ id, format: BUNDLE_FORMAT, text }]);
    return texts.sms({ ...content, texts: sms }).fill(jana);
  };
  expect(written('Off: {{event.title}}')).toBe('Off: Autumn fair');
  expect(written(`Off: ${source}`)).toBe(texts.sms(content).fill(jana));
});

describe('the preview', () => {
  let files: PreviewFile[];
  beforeAll(async () => {
    files = await previewOf(bundle);
  });
  const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? '';

  test('shows every template in every language, with all and with the fewest values, of a series, and overrides', () => {
    const shown = ALL_TRIGGERS.length * LOCALES.length * 2 * 5;
    const ofSeries = 5 * LOCALES.length * 5;
    const override = 3 * 5;
    expect(files).toHaveLength(shown + ofSeries + override + 1);
    expect(textOf('event-published/cs/email.html')).toContain('Podzimní slavnost');
    expect(textOf('event-published/en/email.txt')).toMatch(/^Subject: .*Autumn fair/);
    expect(textOf('event-published/cs/email.txt')).toContain('18:00–19:30, středoevropský čas\n');
    expect(textOf('tenants/tenant-1/event-cancelled/en/sms.txt')).toMatch(/^OFF: /);
    expect(textOf('index.html')).toContain('tenants/tenant-1/event-cancelled/en');
    for (const { path, text } of files) {
      expect(text, path).not.toMatch(/\{\{|undefined|\[object/);
      if (path.endsWith('.txt')) expect(text.trim(), path).not.toBe('');
    }
  });

  test('leaves no space in e-mails for a text or details that are missing', () => {
    for (const { path, text } of files.filter((file) => file.path.endsWith('.html'))) {
      expect(text, path).not.toMatch(/<td [^>]*class="(?!details)[^>]*>\s*<div[^>]*>\s*<\/div>/);
      expect(text, path).not.toMatch(/<td [^>]*class="details"[^>]*padding:(?!0 32px;)/);
    }
  });

  // One letter outside the alphabet would double the price.
  test('keeps text messages within the GSM alphabet and two parts', () => {
    for (const { path, text } of files.filter((file) => /sms(\.\w+)?\.txt$/.test(file.path)))
      expect(text, path).toMatch(/costs [12] SMS, GSM alphabet/);
  });

  test('does not mention a kept registration to people without one', () => {
    for (const locale of ['en', 'cs']) {
      for (const trigger of ['event-postponed', 'event-changed']) {
        const word = locale === 'en' ? 'Your registration' : 'přihláška';
        for (const ending of ['txt', 'html']) {
          expect(textOf(`${trigger}/${locale}/email.${ending}`)).toContain(word);
          expect(textOf(`${trigger}/${locale}/email.least.${ending}`)).not.toContain(word);
        }
      }
    }
  });
});
