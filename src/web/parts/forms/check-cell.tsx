type Props = { label: string; checked: boolean; mixed?: boolean; onChange: (checked: boolean) => void };

/** A checkbox in a cell of a table, without text of its own. */
export const CheckCell = ({ label, checked, mixed = false, onChange }: Props) => (
  <label className="inline-grid size-11 cursor-pointer place-items-center rounded-lg hover:bg-card sm:size-9">
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      ref={(input) => {
        if (input) input.indeterminate = mixed;
      }}
      onChange={({ target }) => onChange(target.checked)}
      className="size-5 cursor-pointer accent-accent"
    />
  </label>
);
