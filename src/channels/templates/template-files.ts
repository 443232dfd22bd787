import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_TRIGGERS } from '../../notifications/policy/trigger.ts';
import type { Trigger } from '../../notifications/policy/trigger-table.ts';
import { LOCALES, type Locale } from '../../people/contact.ts';
import type { Fault } from './read-template.ts';

export const FILES = ['email.mjml', 'email.txt', 'sms.txt', 'push.txt', 'in-app.txt'] as const;
type FileName = (typeof FILES)[number];

/** The folder of a trigger: `event.published` → `event-published`. */
export const folderOf = (trigger: Trigger): string => trigger.replace(/[._]/g, '-');

/** The path of a file, relative to the templates folder. */
export const pathOf = (trigger: Trigger, locale: Locale, file: FileName): string =>
  `${folderOf(trigger)}/${locale}/${file}`;

const OWN = /^tenants\/([^/]+)\/(.+)$/;

/** The files that tenants override, by tenant: `tenants/<tenant_id>/event-published/en/sms.txt`. */
export function ownFiles(templates: string): Map<string, Set<string>> {
  const byTenant = new Map<string, Set<string>>();
  for (const file of filesBelow(templates)) {
    const [, tenant, path] = OWN.exec(file) ?? [];
    if (tenant && path) byTenant.set(tenant, (byTenant.get(tenant) ?? new Set()).add(path));
  }
  return byTenant;
}

/** Required files that are missing, files that belong to nothing, and files whose accents would be lost. */
export function misplacedFiles(templates: string): Fault[] {
  const wanted = new Set(
    ALL_TRIGGERS.flatMap((trigger) => LOCALES.flatMap((locale) => FILES.map((file) => pathOf(trigger, locale, file)))),
  );
  const found = filesBelow(templates);
  const missing = [...wanted].filter((file) => !found.includes(file)).map((file) => ({ file, rule: 'is missing' }));
  const stray = found
    .filter((file) => !wanted.has(OWN.exec(file)?.[2] ?? file) && !file.startsWith('layout/'))
    .map((file) => ({ file, rule: 'belongs to no trigger, language and channel' }));
  const foreign = found
    .filter((file) => !isUtf8(readFileSync(join(templates, file))))
    .map((file) => ({ file, rule: 'is not in UTF-8: save it with this encoding' }));
  return [...missing, ...stray, ...foreign];
}

export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => statSync(join(folder, file)).isFile())
        .map((file) => file.replaceAll('\\', '/'))
        .sort()
    : [];

/** The text of a file with LF line ends, none at its end, and without the byte order mark of Windows programs. */
export const textOf = (templates: string, file: string): string =>
  readFileSync(join(templates, file), 'utf8').replace('\uFEFF', '').replaceAll('\r\n', '\n').trimEnd();
