/** A message type on a channel. */
type Cell = { trigger: string; channel: string };

/** An opt-out is `trigger:channel`, with `*` for any (PUT /me/preferences). */
const covers = (optOut: string, cell: Cell): boolean => {
  const [trigger, channel] = optOut.split(':');
  return (trigger === '*' || trigger === cell.trigger) && (channel === '*' || channel === cell.channel);
};

export const isOptedIn = (opted_out: readonly string[], cell: Cell): boolean =>
  !opted_out.some((optOut) => covers(optOut, cell));

/** The opt-outs after changing one cell. Opting in splits a wildcard opt-out into its remaining cells of `all`. */
export function updateOptOuts(opted_out: readonly string[], cell: Cell, optedIn: boolean, all: readonly Cell[]) {
  const name = ({ trigger, channel }: Cell) => `${trigger}:${channel}`;
  if (!optedIn) return [...new Set([...opted_out, name(cell)])];
  const split = opted_out.filter((optOut) => covers(optOut, cell));
  const left = all.filter((one) => name(one) !== name(cell) && split.some((optOut) => covers(optOut, one))).map(name);
  return [...new Set([...opted_out.filter((optOut) => !split.includes(optOut)), ...left])];
}
