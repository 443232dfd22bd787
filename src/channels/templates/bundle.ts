import { readFileSync } from 'node:fs';
import type { Trigger } from '../../notifications/policy/trigger.ts';
import type { Locale } from '../../people/contact.ts';
import type { Part } from './template.ts';

export const BUNDLE_FORMAT = 2;

export type TitledTemplate = { title: Part[]; body: Part[] };

/** All texts of one trigger in one language. */
export type TextsOfOne = {
  /** digest of the files it was made from */
  version: string;
  email: { subject: Part[]; text: Part[]; html: Part[] };
  sms: { body: Part[] };
  push: TitledTemplate;
  in_app: TitledTemplate;
};

/** Texts of a tenant's own, as far as it has any. */
export type OwnTexts = Partial<Record<Trigger, Partial<Record<Locale, TextsOfOne>>>>;

/** What `compile.ts` makes of the template files. */
export type Bundle = {
  format: number;
  texts: Record<Trigger, Record<Locale, TextsOfOne>>;
  tenants: Record<string, OwnTexts>;
};

/** @throws where the file is missing or was made by another version of the program */
export function readBundle(path: string): Bundle {
  const bundle = JSON.parse(readFileSync(path, 'utf8')) as Bundle;
  if (bundle.format !== BUNDLE_FORMAT) throw new Error(`${path} was made by another version: run build:texts`);
  return bundle;
}
