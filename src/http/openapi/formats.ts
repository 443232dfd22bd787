import Format from 'typebox/format';
import { hasControls } from '../../core/plain-text.ts';
import { isDateInRange, isTime, isZone } from '../../core/zoned-time.ts';
import { ONE_ID_PATTERN } from '../../events/rules/filter.ts';
import { isEmail, isLine, isPhone } from '../../people/contact.ts';
import { COLOR_PATTERN } from '../../people/school.ts';

const NOT_IN_LINE = '\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The text formats of the schemas: a check, an error message, and a pattern for other tools. */
export const FORMATS = {
  line: {
    holds: isLine,
    message: 'must not be empty or contain control characters',
    pattern: `^[^${NOT_IN_LINE}]*[^\\s${NOT_IN_LINE}][^${NOT_IN_LINE}]*$`,
  },
  text: {
    holds: (text) => text.trim() !== '' && !hasControls(text),
    message: 'must not be empty or contain control characters',
    pattern: '\\S',
  },
  date: { holds: isDateInRange, message: 'must be an existing date from 1970 to 2100, written YYYY-MM-DD' },
  clock: { holds: isTime, message: 'must be a time of day, written HH:MM', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
  'date-time': {
    holds: isInstant,
    message: 'must be a date and time with offset from 1970 to 2100, such as 2026-09-14T07:30:00+02:00',
  },
  zone: { holds: isZone, message: 'must be an IANA time zone, such as Europe/Prague' },
  email: { holds: isEmail, message: 'must be an e-mail address, such as name@example.org' },
  phone: {
    holds: isPhone,
    message: 'must be a phone number with country code, such as +420601234567',
    pattern: '^\\+[1-9][0-9]{6,14}$',
  },
  uri: { holds: isWebAddress, message: 'must be a web address that starts with http:// or https://' },
  currency: {
    holds: (text) => CURRENCIES.has(text),
    message: 'must be a currency code of ISO 4217, such as EUR',
    pattern: '^[A-Z]{3}$',
  },
  key: matching('^[!-~]{1,255}$', 'must be 1 to 255 visible ASCII characters'),
  p256dh: matching('^B[A-P][A-Za-z0-9_-]{85}=?$', 'must be a P-256 public key in base64url'),
  auth: matching('^[A-Za-z0-9_-]{22}(==)?$', 'must be 16 bytes in base64url'),
} as const satisfies Record<string, { holds: (text: string) => boolean; message: string; pattern?: string }>;

/** The patterns of single fields, each with its error message. */
export const PATTERNS = {
  color: { pattern: COLOR_PATTERN, message: 'must be a color, written #rrggbb' },
  door_code: { pattern: '^\\d{6}$', message: 'must be six digits' },
  one_id: { pattern: ONE_ID_PATTERN, message: 'must not contain a comma' },
} as const;

export type FormatName = keyof typeof FORMATS;

for (const [name, { holds }] of Object.entries(FORMATS)) Format.Set(name, holds);

function matching(pattern: string, message: string) {
  const form = new RegExp(pattern);
  return { holds: (text: string) => form.test(text), message, pattern };
}

function isInstant(text: string): boolean {
  const parts =
    /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(text);
  return parts?.[1] !== undefined && isDateInRange(parts[1]);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\p{Cs}<>"\\]+$/iu.test(text) && URL.canParse(text);
}
