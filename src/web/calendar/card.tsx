import { useQuery } from '@tanstack/react-query';
import { CalendarClock, type LucideIcon, MapPin, Users, Video } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { ActionButtons } from '../actions/buttons.tsx';
import { eventQuery } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { useKeyDown } from '../app/use-key-down.ts';
import { locationLines, placesText } from '../event/event-texts.ts';
import { Badges } from '../event-parts/badge.tsx';
import { ScheduleLines } from '../event-parts/schedule-lines.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorMessage, Skeleton } from '../parts/page.tsx';
import { place } from '../parts/popover.tsx';
import { t } from '../texts/texts.ts';
import { type CardAnchor, closeCard, closeCardSoon } from './card-anchor.ts';

/** Details of the event under the pointer; a sheet on touch. */
export default function Card({ anchor }: { anchor: CardAnchor }) {
  const { data: event } = useQuery(eventQuery(anchor.id));
  if (!anchor.isSheet) return <Floating key={anchor.id} anchor={anchor} event={event} />;
  return (
    <Dialog title={event?.title ?? ''} onClose={closeCard}>
      <Content id={anchor.id} />
    </Dialog>
  );
}

function Floating({ anchor, event }: { anchor: CardAnchor; event: SchoolEvent | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = ref.current;
    // The entry may have left the page while the script of its card was loading.
    if (!card?.isConnected) return closeCard();
    card.showPopover();
    place(card, anchor.element, 'start');
    return () => card.hidePopover();
  }, [anchor]);
  useKeyDown(({ key }) => {
    // Esc closes an open menu or dialog of the card first.
    if (key !== 'Escape' || ref.current?.querySelector(':popover-open, dialog[open]')) return;
    if (ref.current?.contains(document.activeElement)) anchor.element.focus();
    closeCard();
  });
  useEffect(() => {
    const onScroll = ({ target }: Event) => {
      const card = ref.current;
      if (!card || card.contains(target as Node)) return;
      // The browser scrolls to an entry that the keyboard goes to, after the card has opened.
      const focused = document.activeElement;
      if (focused === anchor.element || card.contains(focused)) place(card, anchor.element, 'start');
      else closeCard();
    };
    document.addEventListener('scroll', onScroll, true);
    return () => document.removeEventListener('scroll', onScroll, true);
  }, [anchor]);
  // Directly after its entry in the DOM, so that Tab moves into it; a popover, so that no other entry lies above it.
  return createPortal(
    <div
      ref={ref}
      popover="manual"
      role="dialog"
      aria-label={event?.title ?? t('card.label')}
      onPointerLeave={closeCardSoon}
      onBlur={closeCardSoon}
      className="fixed inset-auto m-0 w-85 overflow-y-auto rounded-2xl border border-line bg-raised p-4 text-left text-ink shadow-float"
    >
      {event && <h2 className="mb-2 text-base leading-snug font-semibold">{event.title}</h2>}
      <Content id={anchor.id} />
    </div>,
    anchor.element.parentElement ?? document.body,
  );
}

function Content({ id }: { id: string }) {
  const { data: event, error } = useQuery(eventQuery(id));
  if (!event) return error ? <ErrorMessage error={error} /> : <Skeleton />;
  const places = event.registration_type === 'none' ? null : placesText(event);
  return (
    <div className="grid gap-3 text-sm">
      <Badges event={event} isStaff={event.allowed_actions.includes('edit')} />
      <ul className="grid gap-1.5 text-soft">
        <Line icon={CalendarClock}>
          <ScheduleLines event={event} />
        </Line>
        <Place event={event} />
        {places && <Line icon={Users}>{places}</Line>}
      </ul>
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
        <ButtonLink to="/events/$id" params={{ id }} look="main" onClick={closeCard}>
          {t('card.open')}
        </ButtonLink>
        <ActionButtons event={event} compact />
      </div>
    </div>
  );
}

function Place({ event }: { event: SchoolEvent }) {
  const name = locationLines(event).join(', ');
  const { isVirtual = false } = event.location ?? {};
  if (!name && !isVirtual) return null;
  return <Line icon={isVirtual ? Video : MapPin}>{name || t('event.online')}</Line>;
}

const Line = ({ icon: Picture, children }: { icon: LucideIcon; children: ReactNode }) => (
  <li className="flex gap-2">
    <Picture size={16} className="mt-0.5 shrink-0" />
    <div>{children}</div>
  </li>
);
