import { ZoneSelect } from '../../parts/forms/field.tsx';
import { Clashes } from '../clashes.tsx';
import { useEditing, useField } from '../context.tsx';
import { Input, Toggle } from '../inputs.tsx';
import { Recurrence } from './recurrence.tsx';

/** Step 2: dates, times and recurrence. */
export function Schedule() {
  const { all_day } = useEditing().draft;
  const together = 'flex flex-wrap gap-3 *:grow';
  const field = useField();
  return (
    <>
      <Toggle name="all_day" />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,19.5rem),1fr))] gap-4">
        <div className={together}>
          <Input name="start_date" type="date" />
          {!all_day && <Input name="start_time" type="time" />}
        </div>
        <div className={together}>
          <Input name="end_date" type="date" />
          {!all_day && <Input name="end_time" type="time" />}
        </div>
      </div>
      <div className="grid sm:max-w-sm">
        <ZoneSelect {...field('timezone')} />
      </div>
      <Clashes />
      <Recurrence />
    </>
  );
}
