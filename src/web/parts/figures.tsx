type Figure = { label: string; value: string };

/** Numbers with their names, as tiles. */
export const Figures = ({ figures, className }: { figures: readonly Figure[]; className: string }) => (
  <dl className={`grid grid-cols-[repeat(auto-fill,minmax(min(7rem,100%),1fr))] gap-3 ${className}`}>
    {figures.map(({ label, value }) => (
      <div key={label} className="flex flex-col-reverse justify-end rounded-card border border-line bg-card px-4 py-3">
        <dt className="text-sm leading-snug wrap-break-word text-soft">{label}</dt>
        <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
);
