/** How much of something is taken, from 0 to 1, as a bar; a text beside it says the same. */
export const ShareBar = ({ share }: { share: number }) => (
  <div aria-hidden className="h-1.5 max-w-sm overflow-hidden rounded-full bg-hover">
    <div
      className={`h-full rounded-full ${share < 1 ? 'bg-accent' : 'bg-warn'}`}
      style={{ width: `${Math.min(1, share) * 100}%` }}
    />
  </div>
);
