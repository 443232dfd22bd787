/** One kind of message on one channel. */
export type Cell = { trigger: string; channel: string };

/** A wish is `trigger:channel`, `*` for any (PUT /me/preferences). */
const covers = (wish: string, cell: Cell): boolean => {
  const [trigger, channel] = wish.split(':');
  return (trigger === '*' || trigger === cell.trigger) && (channel === '*' || channel === cell.channel);
};

export const isWanted = (opted_out: readonly string[], cell: Cell): boolean =>
  !opted_out.some((wish) => covers(wish, cell));

/** What is not wanted after one cell was changed; a wish for everything falls apart when one of it is wanted again. */
export function changed(opted_out: readonly string[], cell: Cell, wanted: boolean, all: readonly Cell[]): string[] {
  const name = ({ trigger, channel }: Cell) => `${trigger}:${channel}`;
  if (!wanted) return [...new Set([...opted_out, name(cell)])];
  const falling = opted_out.filter((wish) => covers(wish, cell));
  const left = all.filter((one) => name(one) !== name(cell) && falling.some((wish) => covers(wish, one))).map(name);
  return [...new Set([...opted_out.filter((wish) => !falling.includes(wish)), ...left])];
}
