import { onTestFinished } from 'vitest';

/** Counts the turns of the event loop until the test ends. */
export function countTurns() {
  const turns = { count: 0, isOver: false };
  const next = () => {
    turns.count += 1;
    if (!turns.isOver) setImmediate(next);
  };
  setImmediate(next);
  onTestFinished(() => {
    turns.isOver = true;
  });
  return turns;
}
