/** Remembers where an element is. @returns focuses it, or the closest element around it that is still on the page */
export function focusBack(element: Element | null): () => void {
  const path: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement && at !== document.body; at = at.parentElement) path.push(at);
  return () => {
    const near = path.find(({ isConnected }) => isConnected);
    if (!near) return;
    if (near.tabIndex < 0) near.tabIndex = -1;
    near.focus({ preventScroll: true });
  };
}

/** Keeps the keyboard focus in its place when an action removes the control that had it: the next Tab goes on from there. */
export function keepFocus(): void {
  let last: Element | null = null;
  let back = () => {};
  document.addEventListener('focusin', ({ target }) => {
    last = target as Element;
    back = focusBack(last);
  });
  const isLost = () => document.activeElement === document.body && last?.isConnected === false;
  new MutationObserver(() => isLost() && back()).observe(document.body, { childList: true, subtree: true });
}
