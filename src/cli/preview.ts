import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileTexts } from '../build/compile-templates.ts';
import { TEMPLATES } from '../build/compile-texts.ts';
import { type Bundle, loadTexts, type Texts } from '../channels/templates/catalogue.ts';
import { sampleMessage } from '../channels/templates/sample-message.ts';
import { outsideGsm7 } from '../channels/templates/short-texts.ts';
import { folderOf } from '../channels/templates/template-files.ts';
import { mapBy } from '../core/groups.ts';
import { escapeHtml } from '../core/plain-text.ts';
import { type Filling, fillingsOf, type SampleOf } from '../notifications/content/sample-content.ts';
import type { Trigger } from '../notifications/policy/trigger-table.ts';
import type { Locale } from '../people/contact.ts';
import { DEFAULT_COLOR } from '../people/school.ts';
import { runCommand } from './run-command.ts';

type Template = Omit<SampleOf, 'school'>;

/** A file of the preview; the path is relative to the output folder. */
export type PreviewFile = { path: string; text: string };

const FROM = 'Schoolbell <school@school.example>';
const SCHOOL = { name: 'Základní škola Lipová', sender_name: 'ZŠ Lipová', color: DEFAULT_COLOR };
const LOGO = 'https://lipova.example/logo.png';
/** Stands for the default templates; no tenant has this id. */
const OURS = '';

/**
 * Renders every template with sample values: e-mails as HTML and text, other messages as text, and a page with all of them.
 * Each template appears once with all values and once with the fewest, and once for several dates of a series.
 */
export async function previewOf(bundle: Bundle): Promise<PreviewFile[]> {
  const texts = loadTexts(bundle);
  const files: PreviewFile[] = [];
  for (const template of templatesOf(bundle)) {
    for (const filling of fillingsOf(template.trigger)) files.push(...(await filled(texts, template, filling)));
  }
  return [...files, { path: 'index.html', text: pageOf(files) }];
}

/** The default templates in every language, then those that tenants override. */
function templatesOf({ texts, tenants }: Bundle): Template[] {
  return [[OURS, texts] as const, ...Object.entries(tenants)].flatMap(([tenant_id, ofTenant]) =>
    Object.entries(ofTenant).flatMap(([trigger, languages]) =>
      Object.keys(languages).map((locale) => ({ trigger: trigger as Trigger, locale: locale as Locale, tenant_id })),
    ),
  );
}

async function filled(texts: Texts, template: Template, filling: Filling): Promise<PreviewFile[]> {
  const { tenant_id, trigger, locale } = template;
  const whose = tenant_id === OURS ? '' : `tenants/${tenant_id}/`;
  const folder = `${whose}${folderOf(trigger)}/${locale}`;
  const at = (name: string) => `${folder}/${filling === 'full' ? name : name.replace('.', `.${filling}.`)}`;
  const school = { ...SCHOOL, logo_url: filling === 'least' ? '' : LOGO };
  const { email, sms, push, in_app } = await sampleMessage(texts, { ...template, school }, { from: FROM, filling });
  const titled = ({ title, body }: { title: string; body: string }) => `${title}\n\n${body}\n`;
  return [
    { path: at('email.html'), text: email.html },
    { path: at('email.txt'), text: `Subject: ${email.subject}\n\n${email.text}` },
    { path: at('sms.txt'), text: `${sms.text}\n\n(${costOf(sms)})\n` },
    { path: at('push.txt'), text: titled(push) },
    { path: at('in-app.txt'), text: titled(in_app) },
  ];
}

function costOf({ text, segments }: { text: string; segments: number }): string {
  const wide = outsideGsm7(text);
  const alphabet = wide.length > 0 ? `not in the GSM alphabet: ${wide.join(' ')}` : 'GSM alphabet';
  return `${text.length} characters, costs ${segments} SMS, ${alphabet}`;
}

function pageOf(files: readonly PreviewFile[]): string {
  const folders = mapBy(files, ({ path }) => [path.slice(0, path.lastIndexOf('/'))]);
  const shown = ({ path, text }: PreviewFile) => {
    const name = escapeHtml(path);
    return path.endsWith('.html')
      ? `<p><a href="${name}">${name}</a></p><iframe src="${name}" title="${name}"></iframe>`
      : `<p><a href="${name}">${name}</a></p><pre>${escapeHtml(text)}</pre>`;
  };
  const sections = [...folders].map(
    ([folder, inside]) =>
      `<section><h2>${escapeHtml(folder)}</h2><div>${inside.map((file) => `<article>${shown(file)}</article>`).join('')}</div></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Messages</title><style>${STYLE}</style></head><body><h1>Messages</h1>${sections.join('\n')}</body></html>\n`;
}

const STYLE =
  'body{font:16px/1.4 system-ui;margin:2rem}section>div{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr))}' +
  'iframe{width:100%;height:24rem;border:1px solid #ccc}pre{white-space:pre-wrap;border:1px solid #ccc;padding:.5rem;margin:0}';

const USAGE = `npm run preview -- [--templates FOLDER] [--out FOLDER]

Renders every template with sample values.

  --templates  the templates (default: templates)
  --out        where to write the files (default: preview)
`;

await runCommand('preview', {
  usage: USAGE,
  run: async (args) => {
    const folder = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { templates: folder, out: folder } });
    const out = resolve(values.out ?? 'preview');
    const files = await previewOf(await compileTexts(resolve(values.templates ?? TEMPLATES)));
    for (const { path, text } of files) {
      mkdirSync(join(out, path, '..'), { recursive: true });
      writeFileSync(join(out, path), text);
    }
    return { lines: [`${files.length} files; open ${join(out, 'index.html')}`] };
  },
});
