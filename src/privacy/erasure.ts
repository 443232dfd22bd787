/** Who is erased, and what stands for them in what stays: counts keep their sense, and nobody can be found. */
export type Erased = {
  user_id: string;
  alias: string;
  /** names and addresses that were found of this person */
  secrets: ReadonlySet<string>;
};

/**
 * A record without the person: ids of theirs become the alias wherever they stand, names and addresses beside them or
 * known of them become empty. Everything else stays.
 */
export function withoutPerson<T>(value: T, erased: Erased): T {
  return without(value, erased) as T;
}

function without(value: unknown, erased: Erased): unknown {
  if (typeof value === 'string') {
    if (value === erased.user_id) return erased.alias;
    return erased.secrets.has(value) ? '' : value;
  }
  if (Array.isArray(value)) return value.map((entry) => without(entry, erased));
  if (!isPlain(value)) return value;
  const isTheirs = value.user_id === erased.user_id;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      isTheirs && PERSONAL.has(field) ? blank(inner) : without(inner, erased),
    ]),
  );
}

/** What a record says of the person whose `user_id` it has. */
const PERSONAL: ReadonlySet<string> = new Set(['name', 'address', 'contact', 'notes', 'reason_given', 'cancel_reason']);

const blank = (value: unknown): unknown => (typeof value === 'string' && value !== '' ? '' : null);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
