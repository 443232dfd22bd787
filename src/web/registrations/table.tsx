import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { AnswerList } from '../answers/answers.tsx';
import type { ListedRegistration, SchoolEvent } from '../api/types.ts';
import { slotText } from '../event/registration/slots.ts';
import { RegistrationBadge } from '../event-parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CheckCell } from '../parts/forms/check-cell.tsx';
import { Menu } from '../parts/menu.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { actionsOf, isEnd, type RegistrationAction } from './act.ts';

const ROW_HEIGHT = 64;
const LINE = 'grid items-center gap-x-3 px-3 sm:px-4';
const COLUMNS = `${LINE} grid-cols-[minmax(0,1fr)_auto] lg:grid-cols-[minmax(0,2fr)_7rem_minmax(0,1.6fr)_8.5rem_12rem]`;
const WITH_BOXES = `${LINE} grid-cols-[2.75rem_minmax(0,1fr)_auto] lg:grid-cols-[2.75rem_minmax(0,2fr)_7rem_minmax(0,1.6fr)_8.5rem_12rem]`;

export const nameOf = ({ name, user_id }: ListedRegistration): string => name ?? user_id;

type Props = {
  rows: readonly ListedRegistration[];
  /** number of rows, including those not loaded yet; null: not known */
  total: number | null;
  event: SchoolEvent;
  selected: ReadonlyMap<string, ListedRegistration>;
  /** undefined for those who may only read */
  onSelect: ((rows: readonly ListedRegistration[], on: boolean) => void) | undefined;
  onAct: (action: RegistrationAction, row: ListedRegistration) => void;
  /** loads the next page, if any */
  onEnd: () => void;
};

/** A virtual table: renders only the registrations on screen. */
export function RegistrationTable(props: Props) {
  const { rows, total, selected, onSelect, onEnd } = props;
  const list = useRef<HTMLTableSectionElement>(null);
  const columns = onSelect ? WITH_BOXES : COLUMNS;
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (at) => rows[at]?.id ?? at,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const loadMore = useEffectEvent(onEnd);
  useEffect(() => {
    if (last >= rows.length - 20) loadMore();
  }, [last, rows.length]);
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]));
  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  return (
    <table
      aria-label={t('nav.registrations')}
      aria-rowcount={total === null ? -1 : total + 1}
      className="block overflow-clip rounded-card border border-line bg-card"
    >
      <thead className="block border-b border-line">
        <tr aria-rowindex={1} className={`${columns} min-h-11 text-left text-sm font-medium text-soft`}>
          {onSelect && (
            <th scope="col">
              <CheckCell
                label={t('registrations.selectShown')}
                checked={all}
                mixed={!all && selected.size > 0}
                onChange={(on) => onSelect(rows, on)}
              />
            </th>
          )}
          <th scope="col">{t('people.name')}</th>
          {(['registrations.kind', 'filter.status', 'registrations.since'] as const).map((column) => (
            <th key={column} scope="col" className="max-lg:hidden">
              {t(column)}
            </th>
          ))}
          <th scope="col" className="sr-only">
            {t('registrations.actions')}
          </th>
        </tr>
      </thead>
      <tbody ref={list} style={{ height: virtual.getTotalSize() }} className="relative block">
        {shown.map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <tr
              key={key}
              aria-rowindex={index + 2}
              data-selected={selected.has(row.id) || undefined}
              data-index={index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              className={`${columns} absolute inset-x-0 top-0 min-h-16 border-b border-line py-2.5 hover:bg-hover/60 data-selected:bg-accent-soft`}
            >
              <Row {...props} row={row} names={names} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type RowProps = Props & { row: ListedRegistration; names: ReadonlyMap<string, string> };

function Row({ row, event, names, selected, onSelect, onAct }: RowProps) {
  const name = nameOf(row);
  const zone = event.timezone;
  const detail = statusDetail(row, zone, (id) => names.get(id) ?? null);
  const isOut = row.status === 'cancelled';
  return (
    <>
      {onSelect && (
        <td>
          <CheckCell
            label={t('registrations.select', { name })}
            checked={selected.has(row.id)}
            onChange={(on) => onSelect([row], on)}
          />
        </td>
      )}
      <td className="min-w-0">
        <p className={`truncate font-medium ${isOut ? 'text-soft line-through' : ''}`}>{name}</p>
        {row.left_at && (
          <p className="text-sm text-warn">{t('person.leftOn', { when: momentIn(row.left_at, zone) })}</p>
        )}
        {row.slots.length > 0 && (
          <p className="text-sm text-soft tabular-nums">{row.slots.map((slot) => slotText(event, slot)).join('; ')}</p>
        )}
        {row.notes && <p className="line-clamp-2 text-sm text-soft">{row.notes}</p>}
        <AnswerList answers={row.answers} questions={event.registration_questions} className="text-soft" />
        <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft lg:hidden">
          <RegistrationBadge status={row.status} />
          {row.kind !== 'attendee' && <span>{word('kind', row.kind)}</span>}
          {detail && <span className="break-words">{detail}</span>}
        </div>
      </td>
      <td className="text-soft max-lg:hidden">{word('kind', row.kind)}</td>
      <td className="grid min-w-0 justify-items-start gap-0.5 max-lg:hidden">
        <RegistrationBadge status={row.status} />
        {detail && <span className="line-clamp-2 text-sm text-soft">{detail}</span>}
      </td>
      <td className="text-sm text-soft tabular-nums max-lg:hidden">{momentIn(row.created_at, zone)}</td>
      <td className="flex items-center justify-end gap-1">
        <RowActions row={row} onAct={(action) => onAct(action, row)} />
      </td>
    </>
  );
}

/** The main action as a button, the others in a menu. */
function RowActions({ row, onAct }: { row: ListedRegistration; onAct: (action: RegistrationAction) => void }) {
  const actions = actionsOf(row);
  const first = (['confirm', 'check_in'] as const).find((action) => actions.includes(action));
  const rest = actions.filter((action) => action !== first);
  const name = nameOf(row);
  return (
    <>
      {first && (
        <Button
          className="min-h-8 text-sm whitespace-nowrap"
          aria-label={`${t(`registrationAction.${first}`)}: ${name}`}
          onClick={() => onAct(first)}
        >
          {/* On a phone the name needs the room. */}
          <CircleCheck size={18} className="sm:hidden" />
          <span className="max-sm:sr-only">{t(`registrationAction.${first}`)}</span>
        </Button>
      )}
      {rest.length > 0 && (
        <Menu
          label={t('registrations.actionsOf', { name })}
          items={rest.map((action) => ({
            label: t(`registrationAction.${action}`),
            danger: isEnd(action),
            onSelect: () => onAct(action),
          }))}
        />
      )}
    </>
  );
}

/** Details of the status: check-in time, position on the waitlist, or the reason for a cancellation or promotion. */
function statusDetail(row: ListedRegistration, zone: string, nameOf: (id: string) => string | null): string | null {
  if (row.checked_in_at) return t('door.came', { when: momentIn(row.checked_in_at, zone) });
  if (row.waitlist_position !== null) return t('registrations.place', { place: row.waitlist_position });
  if (row.status === 'cancelled') return row.cancel_reason;
  if (!row.promoted_because) return null;
  const before = row.promoted_by ? nameOf(row.promoted_by) : null;
  return before ? t('promoted.inPlaceOf', { name: before }) : word('promoted', row.promoted_because);
}
