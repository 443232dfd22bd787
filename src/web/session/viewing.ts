const KEY = 'view-as';

/** Whom this tab views the school as: the value of `X-View-As`, or null. It survives a reload and ends with the session. */
export const viewedAs = (): string | null => sessionStorage.getItem(KEY);

/** Views the school as a role, such as `role:parent`, or as a person: `person:` with the encoded id. */
export function startViewing(target: string): void {
  sessionStorage.setItem(KEY, target);
  loadAnew();
}

export function stopViewing(): void {
  forgetViewing();
  loadAnew();
}

export const forgetViewing = (): void => sessionStorage.removeItem(KEY);

/** A new page has no data of the view before. */
const loadAnew = (): void => window.location.assign('/events');
