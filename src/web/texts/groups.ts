/** A class, grade or department as people say it: of `class-5a` it is 5A. Its id is all that is known of it. */
export function groupName(id: string): string {
  const bare = id.replace(/^(class|grade|department|dept)[-_: ]/i, '').replace(/[-_]+/g, ' ');
  return bare.length <= 3 ? bare.toUpperCase() : bare.charAt(0).toUpperCase() + bare.slice(1);
}
