import { join } from 'node:path';
import mjml2html from 'mjml';
import { BUNDLE_FORMAT, type Bundle, type OwnTexts } from '../channels/templates/catalogue.ts';
import { type Fault, type ReportFault, readTemplate, TemplateFaults } from '../channels/templates/read-template.ts';
import { outsideGsm7 } from '../channels/templates/short-texts.ts';
import { type Part, placeholdersIn, type TextsOfOne, type TitledTemplate } from '../channels/templates/template.ts';
import { FILES, filesBelow, misplacedFiles, ownFiles, pathOf, textOf } from '../channels/templates/template-files.ts';
import { hashOf } from '../core/ids.ts';
import { ALL_TRIGGERS } from '../notifications/policy/trigger.ts';
import type { Trigger } from '../notifications/policy/trigger-table.ts';
import { LOCALES, type Locale } from '../people/contact.ts';
import { DEFAULT_COLOR } from '../people/school.ts';
import { checkHtmlPlaces } from './html-places.ts';

/** Compiles all templates below a folder into one bundle. @throws TemplateFaults */
export async function compileTexts(templates: string): Promise<Bundle> {
  const faults = misplacedFiles(templates);
  if (faults.length > 0) throw new TemplateFaults(faults);
  const texts = await compileAll({ templates, faults, pathOf }, () => true);
  const tenants: Bundle['tenants'] = {};
  for (const [tenant, files] of ownFiles(templates)) {
    const isOwn: PathOf = (...one) =>
      files.has(pathOf(...one)) ? `tenants/${tenant}/${pathOf(...one)}` : pathOf(...one);
    tenants[tenant] = await compileAll({ templates, faults, pathOf: isOwn }, (trigger, locale) =>
      FILES.some((file) => files.has(pathOf(trigger, locale, file))),
    );
  }
  if (faults.length > 0) throw new TemplateFaults(faults);
  return { format: BUNDLE_FORMAT, texts: texts as Bundle['texts'], tenants };
}

type PathOf = typeof pathOf;
type TextFile = { source: string; reportFault: ReportFault };
type From = { templates: string; faults: Fault[]; pathOf: PathOf };

async function compileAll(from: From, wanted: (trigger: Trigger, locale: Locale) => boolean): Promise<OwnTexts> {
  const texts: OwnTexts = {};
  for (const trigger of ALL_TRIGGERS) {
    for (const locale of LOCALES.filter((one) => wanted(trigger, one))) {
      texts[trigger] = { ...texts[trigger], [locale]: await compileOne(from, trigger, locale) };
    }
  }
  return texts;
}

async function compileOne(from: From, trigger: Trigger, locale: Locale): Promise<TextsOfOne> {
  const { templates, faults } = from;
  const on = (file: (typeof FILES)[number]) => {
    const path = from.pathOf(trigger, locale, file);
    const reportFault: ReportFault = (rule, placeholder) => {
      faults.push({ file: path, rule, ...(placeholder && { placeholder }) });
    };
    return { source: textOf(templates, path), reportFault };
  };
  const mjml = on('email.mjml');
  const html = await htmlParts(withIncludes(templates, mjml), mjml.reportFault);
  const letter = on('email.txt');
  const source = withPartials(templates, locale, letter);
  return {
    version: versionOf(from, trigger, locale),
    email: { ...letterParts({ ...letter, source }), html },
    sms: { body: smsParts(on('sms.txt')) },
    push: titledParts(on('push.txt')),
    in_app: titledParts(on('in-app.txt')),
  };
}

/** Converts MJML to HTML; a bundle contains HTML only. */
async function htmlParts(mjml: string, reportFault: ReportFault): Promise<Part[]> {
  const { html, errors } = await mjml2html(mjml, {
    validationLevel: 'soft',
    keepComments: false,
    fonts: {},
    minify: true,
    minifyOptions: { minifyCss: false },
  }).catch((error: Error) => ({ html: '', errors: [{ tagName: 'mjml', message: error.message }] }));
  for (const { tagName, message } of errors) reportFault(message, `<${tagName}>`);
  const parts = readTemplate(
    html
      // MJML takes no placeholder for a color.
      .replaceAll(DEFAULT_COLOR, '{{school.color}}')
      .replace(/\s*\n\s*/g, '\n')
      .replaceAll('  ', ' ')
      .trim(),
    reportFault,
  );
  checkHtmlPlaces(parts, reportFault);
  checkUnsubscribeLink(parts, reportFault);
  return parts;
}

/** `<mj-include path="../../layout/footer.en.mjml" />` includes a file of the layout, from the folder of a tenant too. */
function withIncludes(templates: string, { source, reportFault }: TextFile): string {
  return source.replace(/<mj-include\b[^>]*>(\s*<\/mj-include>)?/g, (tag) =>
    layoutText(templates, /[\w.-]+(?=["'])/.exec(tag)?.[0] ?? '', (rule) => reportFault(rule, tag)),
  );
}

/** `{{> footer}}` on a line of its own includes `layout/footer.<language>.txt`. */
function withPartials(templates: string, locale: Locale, { source, reportFault }: TextFile): string {
  return source.replace(/^\{\{> *([\w-]+) *\}\}$/gm, (_, name: string) =>
    layoutText(templates, `${name}.${locale}.txt`, (rule) => reportFault(rule, `> ${name}`)),
  );
}

function layoutText(templates: string, file: string, reportFault: ReportFault): string {
  if (filesBelow(join(templates, 'layout')).includes(file)) return textOf(templates, `layout/${file}`);
  reportFault(`layout/${file} is missing`);
  return '';
}

function letterParts({ source, reportFault }: TextFile): { subject: Part[]; text: Part[] } {
  const [first = '', second, ...rest] = source.split('\n');
  if (!/^Subject: \S/.test(first)) reportFault('the first line must be `Subject: …`');
  if (second !== '') reportFault('an empty line must follow the subject');
  const subject = readTemplate(first.replace(/^Subject: /, ''), reportFault);
  for (const { name } of placeholdersIn(subject)) {
    if (name.startsWith('person.')) reportFault('a subject is the same for everyone: no field of the person', name);
  }
  const text = readTemplate(`${rest.join('\n')}\n`, reportFault);
  checkUnsubscribeLink(text, reportFault);
  return { subject, text };
}

function checkUnsubscribeLink(parts: Part[], reportFault: ReportFault): void {
  if (parts.length === 0) return; // It could not be read, which is reported.
  const printed = [...placeholdersIn(parts)].some(({ name, printed }) => printed && name === 'person.unsubscribe_url');
  if (!printed) reportFault('an e-mail must say how to end it', 'person.unsubscribe_url');
}

function smsParts({ source, reportFault }: TextFile): Part[] {
  if (source === '' || source.includes('\n')) reportFault('an SMS is one line');
  const outside = outsideGsm7(source.replace(/\{\{.*?\}\}/g, ''));
  if (outside.length > 0) reportFault(`outside the GSM alphabet: ${outside.join(' ')}`);
  return refuseEmailFields(readTemplate(source, reportFault), reportFault);
}

function titledParts({ source, reportFault }: TextFile): TitledTemplate {
  const [title = '', ...body] = source.split('\n');
  if (title.trim() === '' || body.join('').trim() === '') reportFault('the first line is the title, the rest the body');
  return {
    title: refuseEmailFields(readTemplate(title, reportFault), reportFault),
    body: refuseEmailFields(readTemplate(body.join('\n').trim(), reportFault), reportFault),
  };
}

/** Unsubscribe links belong in e-mails only; elsewhere people use their settings. */
function refuseEmailFields(parts: Part[], reportFault: ReportFault): Part[] {
  for (const { name } of placeholdersIn(parts)) {
    if (['person.unsubscribe_url', 'event.description'].includes(name)) reportFault('stands in e-mails only', name);
  }
  return parts;
}

/** Twelve digits of a hash of all files of a text, including the layout. */
function versionOf({ templates, pathOf: of }: From, trigger: Trigger, locale: Locale): string {
  const layout = filesBelow(join(templates, 'layout')).map((file) => `layout/${file}`);
  const files = [...FILES.map((file) => of(trigger, locale, file)), ...layout];
  return hashOf(...files.flatMap((file) => [file, textOf(templates, file)])).slice(0, 12);
}
