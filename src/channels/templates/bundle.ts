import { readFileSync } from 'node:fs';
import type { Trigger } from '../../notifications/policy/trigger.ts';
import type { Locale } from '../../people/contact.ts';
import type { Part } from './template.ts';

export const BUNDLE_FORMAT = 2;

export type TitledTemplate = { title: Part[]; body: Part[] };

/** All texts of one trigger in one language. */
export type TextsOfOne = {
  /** digest of the template files */
  version: string;
  email: { subject: Part[]; text: Part[]; html: Part[] };
  sms: { body: Part[] };
  push: TitledTemplate;
  in_app: TitledTemplate;
};

/** The texts that a tenant overrides. */
export type OwnTexts = Partial<Record<Trigger, Partial<Record<Locale, TextsOfOne>>>>;

/** All template files, compiled by `npm run build:texts`. */
export type Bundle = {
  format: number;
  texts: Record<Trigger, Record<Locale, TextsOfOne>>;
  tenants: Record<string, OwnTexts>;
};

/** @throws Error if the file is missing or was made by another version of the program */
export function readBundle(path: string): Bundle {
  const bundle = JSON.parse(readFileSync(path, 'utf8')) as Bundle;
  if (bundle.format !== BUNDLE_FORMAT) throw new Error(`${path} was made by another version: run build:texts`);
  return bundle;
}
