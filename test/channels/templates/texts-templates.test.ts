import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileTexts } from '../../../src/build/compile-templates.ts';
import { TEMPLATES } from '../../../src/build/compile-texts.ts';
import { checkHtmlPlaces } from '../../../src/build/html-places.ts';
import { loadTexts } from '../../../src/channels/templates/catalogue.ts';
import { type Fault, readTemplate, TemplateFaults } from '../../../src/channels/templates/read-template.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Change = (source: string) => string;

/** The faults of the real templates and of these files: each is the changed text of a tenant of its own. */
async function faultsOfTenants(changes: readonly (readonly [file: string, change: Change])[]) {
  const templates = mkdtempSync(join(folder, 'templates-'));
  cpSync(TEMPLATES, templates, { recursive: true });
  for (const [n, [file, change]] of changes.entries()) {
    const path = join(templates, ownFile(n, file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, change(readFileSync(join(TEMPLATES, file), 'utf8')));
  }
  return faultsOf(templates);
}

const ownFile = (n: number, file: string) => `tenants/tenant-${n}/${file}`;

async function faultsOf(templates: string): Promise<readonly Fault[]> {
  try {
    await compileTexts(templates);
    return [];
  } catch (error) {
    if (error instanceof TemplateFaults) return error.faults;
    throw error;
  }
}

describe('a build of the texts', () => {
  const EMAIL = 'event-published/en/email.txt';
  const MJML = 'event-cancelled/cs/email.mjml';
  const put = (text: string) => (source: string) => `${source}\n${text}`;
  const inLetter = (html: string) => (source: string) =>
    source.replace('<mj-button', `<mj-text>${html}</mj-text><mj-button`);

  const INVALID: [string, string, Change, Partial<Fault>][] = [
    [
      'an unknown placeholder',
      EMAIL,
      put('{{event.color}}'),
      { placeholder: 'event.color', rule: 'unknown placeholder' },
    ],
    ['a name outside the two namespaces', EMAIL, put('{{name}}'), { placeholder: 'name', rule: 'unknown placeholder' }],
    ['a prototype for a placeholder', EMAIL, put('{{person.constructor}}'), { placeholder: 'person.constructor' }],
    ['an unknown placeholder in HTML', MJML, inLetter('{{event.colour}}'), { placeholder: 'event.colour' }],
    ['an unknown value in a condition', EMAIL, put('{{#if event.x}}a{{/if}}'), { placeholder: 'event.x' }],
    [
      'a field of the person in a subject',
      EMAIL,
      (source) => source.replace('Subject: ', 'Subject: {{person.name}}: '),
      { placeholder: 'person.name', rule: 'a subject is the same for everyone: no field of the person' },
    ],
    [
      'a condition on the person in a subject',
      EMAIL,
      (source) => source.replace('Subject: ', 'Subject: {{#if person.name}}x{{/if}}'),
      { placeholder: 'person.name' },
    ],
    ['a letter without a subject', EMAIL, (source) => source.slice(9), { rule: 'the first line must be `Subject: …`' }],
    ['three braces', EMAIL, put('{{{event.title}}}'), { placeholder: 'event.title' }],
    ['a value that is true or false', EMAIL, put('{{event.link_changed}}'), { rule: 'may be used in #if only' }],
    ['an unescaped value', EMAIL, put('{{&event.title}}'), { placeholder: 'event.title' }],
    ['a loop', EMAIL, put('{{#each event.title}}x{{/each}}'), { placeholder: '#each' }],
    ['a helper', EMAIL, put('{{lookup event.title 1}}'), { placeholder: 'lookup' }],
    ['a partial that does not exist', EMAIL, put('{{> greeting}}'), { placeholder: '> greeting' }],
    [
      'a block without an end',
      EMAIL,
      put('{{#if event.title}}'),
      { rule: 'can’t be read near “...{{#if event.title}}”: close each {{#if}} with {{/if}} and each {{ with }}' },
    ],
    [
      'a letter without a link to unsubscribe',
      EMAIL,
      (source) => source.replace('{{> footer}}', ''),
      { placeholder: 'person.unsubscribe_url', rule: 'an e-mail must say how to end it' },
    ],
    [
      'a field of the person in an attribute',
      MJML,
      inLetter('<b title="{{person.name}}">x</b>'),
      { placeholder: 'person.name' },
    ],
    [
      'a field of the person in a link',
      MJML,
      inLetter('<a href="{{person.name}}">x</a>'),
      { placeholder: 'person.name' },
    ],
    ['a value in a link', MJML, inLetter('<a href="{{event.place}}">x</a>'), { placeholder: 'event.place' }],
    ['a value in a style', MJML, inLetter('<b style="color:{{event.title}}">x</b>'), { placeholder: 'event.title' }],
    ['MJML that is not MJML', MJML, (source) => source.replaceAll('mj-button', 'mj-knob'), {}],
    ['MJML that ends too early', MJML, put('<mj-text />'), { placeholder: '<mjml>' }],
    [
      'a layout that does not exist',
      MJML,
      (source) => source.replace('head.mjml', 'haed.mjml'),
      { placeholder: '<mj-include path="../../layout/haed.mjml" />', rule: 'layout/haed.mjml is missing' },
    ],
    ['an empty SMS', 'reminder-due/en/sms.txt', () => '\n', { rule: 'an SMS is one line' }],
    ['an SMS of two lines', 'reminder-due/en/sms.txt', put('more'), { rule: 'an SMS is one line' }],
    [
      'an SMS outside the alphabet',
      'reminder-due/cs/sms.txt',
      (source) => `ž ${source}`,
      { rule: 'outside the GSM alphabet: ž' },
    ],
    [
      'a link that ends messages in an SMS',
      'reminder-due/cs/sms.txt',
      () => '{{person.unsubscribe_url}}',
      { placeholder: 'person.unsubscribe_url' },
    ],
    ['a push message without a body', 'reminder-due/cs/push.txt', () => 'Title', {}],
  ];
  /** With a byte order mark, which programs on Windows write. */
  const valid: Change = (source) =>
    `\uFEFF${source}\n{{! a comment }}{{#unless person.name}}x{{else}}{{event.title}}{{/unless}}`;
  let faults: readonly Fault[];
  // All changes in one build, since it takes a second.
  beforeAll(async () => {
    const invalid = INVALID.map(([, file, change]) => [file, change] as const);
    faults = await faultsOfTenants([...invalid, [EMAIL, valid], [MJML, (source) => source]]);
  });
  test.each(INVALID.map((row, n) => [...row, n] as const))(
    'rejects %s and names the file',
    (_, name, _change, expected, n) => {
      const file = ownFile(n, name);
      expect(faults.find((fault) => fault.file === file)).toMatchObject({ file, ...expected });
    },
  );

  test('rejects a missing file, and files of no channel, trigger or channel of a tenant, and names them', async () => {
    const templates = mkdtempSync(join(folder, 'templates-'));
    cpSync(TEMPLATES, templates, { recursive: true });
    const missing = 'reminder-due/cs/sms.txt';
    rmSync(join(templates, missing));
    const foreign = ['event-dreamt/en/sms.txt', 'reminder-due/cs/fax.txt', ownFile(0, 'event-cancelled/cs/fax.txt')];
    for (const file of foreign) {
      mkdirSync(dirname(join(templates, file)), { recursive: true });
      writeFileSync(join(templates, file), 'x');
    }
    const rule = 'belongs to no trigger, language and channel';
    const found = (await faultsOf(templates)).map(({ file, rule }) => `${file} ${rule}`);
    expect(found.sort()).toEqual([...foreign.map((file) => `${file} ${rule}`), `${missing} is missing`].sort());
  });

  test('rejects a file in another encoding, which would lose its accents', async () => {
    const templates = mkdtempSync(join(folder, 'templates-'));
    cpSync(TEMPLATES, templates, { recursive: true });
    writeFileSync(join(templates, 'reminder-due/cs/push.txt'), 'Připomínka\nZítra', 'latin1');
    const rule = 'is not in UTF-8: save it with this encoding';
    expect(await faultsOf(templates)).toEqual([{ file: 'reminder-due/cs/push.txt', rule }]);
  });

  test('accepts the current templates, a text with a comment and a condition, and the copy of an e-mail', () => {
    const changed = new Set(INVALID.map(([, file], n) => ownFile(n, file)));
    expect(faults.filter(({ file }) => !changed.has(file))).toEqual([]);
  });

  test('names file, placeholder and rule in its message', () => {
    const { message } = new TemplateFaults([
      { file: 'a/en/sms.txt', placeholder: 'event.x', rule: 'unknown placeholder' },
    ]);
    expect(message).toContain('a/en/sms.txt: event.x: unknown placeholder');
  });

  test('names a bundle that is missing, and the command that builds it', () => {
    const bundle = join(folder, 'no/texts.json');
    expect(() => loadTexts(bundle)).toThrow(`${bundle} is missing: run \`npm run build\``);
  });

  test('gives a text another version when one of its files changes', async () => {
    const templates = join(folder, 'kept');
    cpSync(TEMPLATES, templates, { recursive: true });
    const versionOf = async () => (await compileTexts(templates)).texts['event.changed'].en.version;
    const before = await versionOf();
    expect(before).toMatch(/^[0-9a-f]{12}$/);
    const path = join(templates, 'event-changed/en/push.txt');
    writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}!\n`);
    expect(await versionOf()).not.toBe(before);
    rmSync(join(templates, 'event-changed/cs'), { recursive: true });
    await expect(compileTexts(templates)).rejects.toThrow('event-changed/cs/email.mjml: is missing');
  });
});

test('includes in an e-mail only layouts of its language', () => {
  const isForeign = (path: string, source: string) =>
    [...source.matchAll(/layout\/\w+\.(\w+)\.mjml/g)].some(([, language]) => language !== basename(dirname(path)));
  const files = readdirSync(TEMPLATES, { recursive: true, encoding: 'utf8' });
  const mails = files.filter((path) => basename(path) === 'email.mjml');
  expect(mails.length).toBeGreaterThan(30);
  expect(mails.filter((path) => isForeign(path, readFileSync(join(TEMPLATES, path), 'utf8')))).toEqual([]);
  expect(isForeign('message/cs/email.mjml', '<mj-include path="../../layout/footer.en.mjml" />')).toBe(true);
});

describe('in HTML a value', () => {
  const faultsOf = (html: string): string[] => {
    const faults: string[] = [];
    const reportFault = (rule: string, placeholder?: string) => faults.push(`${placeholder ?? ''} ${rule}`.trim());
    checkHtmlPlaces(readTemplate(html, reportFault), reportFault);
    return faults;
  };

  test.each([
    '<p class="a > b">{{event.title}}</p>',
    '<a href="{{event.url}}" style="color:red">x</a>',
    "<a href='{{person.unsubscribe_url}}'>{{person.name}}</a>",
    '<!-- <a b="> -->{{event.title}}<!--[if !mso]><!-->{{event.when}}<!--<![endif]-->',
    '<style>a > b { color: red }</style>{{event.title}}',
    '{{#if event.place}}<b>{{event.place}}</b>{{else}}<i>-</i>{{/if}}',
  ])('may stand in %s', (html) => {
    expect(faultsOf(html)).toEqual([]);
  });

  test.each([
    '<!-- {{event.title}} -->',
    '<!--[if mso]>{{event.title}}<![endif]-->',
    '<style>a { color: {{event.title}} }</style>',
    '<script>const a = "{{event.title}}"</script>',
    '<p {{event.title}}>x</p>',
    '<a href={{event.url}}>x</a>',
    '<a href="{{person.on_behalf_of}}">x</a>',
    '<a title="{{event.title}}">x</a>',
    '<p onclick="{{event.title}}">x</p>',
    '{{person.unsubscribe_url}}',
    '<p {{#if event.place}}class="a"{{/if}}>x</p>',
    '{{#if event.place}}<p class="{{/if}}">x</p>',
  ])('must not stand in %s', (html) => {
    expect(faultsOf(html).length).toBeGreaterThan(0);
  });
});
