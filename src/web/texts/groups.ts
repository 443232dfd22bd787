import { language } from './texts.ts';

/** Readable name of a class, grade or department, made from its id: `class-5a` is 5A, in Czech 5. A. */
export function groupName(id: string): string {
  const bare = id.replace(/^(class|grade|department|dept)[-_: ]/i, '').replace(/[-_]+/g, ' ');
  if (bare.length > 3) return bare.charAt(0).toUpperCase() + bare.slice(1);
  const name = bare.toUpperCase();
  return language() === 'cs' ? name.replace(/^(\d+) ?(\p{L})$/u, '$1. $2') : name;
}
