/** @returns a function that does what it is given unless it is at something already, and says whether it was done */
export function oneAtATime(): (work: () => Promise<void>) => Promise<boolean> {
  let isBusy = false;
  return async (work) => {
    if (isBusy) return false;
    isBusy = true;
    try {
      await work();
      return true;
    } finally {
      isBusy = false;
    }
  };
}
