import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ExternalLink, Ticket } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { meQuery } from '../../api/queries.ts';
import type { Me, SchoolEvent } from '../../api/types.ts';
import { Button, ButtonAnchor } from '../../parts/button.tsx';
import { joined, Loaded, Section } from '../../parts/page.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { viewedAs } from '../../session/stored.ts';
import { isUndecided, momentIn } from '../../texts/dates.ts';
import { t, word } from '../../texts/texts.ts';
import { placesText, priceText } from '../event-texts.ts';
import { type Own, ownQuery } from './own.ts';
import { InBar, OwnRegistration } from './own-registration.tsx';
import { type Person, RegisterForm } from './register-form.tsx';

type Props = {
  event: SchoolEvent;
  /** where a phone shows the main button, at the bottom of the window */
  bar: HTMLElement | null;
};

/** Free places, own registrations, and the button to register or to join the waitlist. */
export function RegistrationBox({ event, bar }: Props) {
  const takesNone = event.registration_type === 'none';
  const own = useQuery(ownQuery(event.id));
  const me = useQuery(meQuery);
  // “Just come” fits only an event that is published and not over, and no holiday.
  if (takesNone && (event.event_type === 'holiday' || (own.data && own.data.stage !== 'open'))) return null;
  return (
    <Section title={t('event.registration')} icon={Ticket}>
      <Loaded query={joined({ own, me })}>
        {(loaded) => (takesNone ? <p>{t('register.none')}</p> : <OwnPlaces event={event} bar={bar} {...loaded} />)}
      </Loaded>
    </Section>
  );
}

function OwnPlaces({ event, bar, own, me }: Props & { own: Own; me: Me }) {
  const [isOpen, setOpen] = useState(false);
  const status = useRef<HTMLDivElement>(null);
  const { check_in } = useSearch({ strict: false });
  // The link at the door leads to the check-in, which lies far below on a phone.
  useEffect(() => void (check_in && status.current?.scrollIntoView()), [check_in]);
  const button = useRef<HTMLButtonElement>(null);
  const registered = own.data.length;
  const { admission } = own;
  const closed = admission.status ? null : closedText(own.stage, admission.code);

  /** Closes the form and moves the focus to its result, or back to the button. */
  const close = (to: RefObject<HTMLElement | null>) => {
    setOpen(false);
    requestAnimationFrame(() => to.current?.focus());
  };

  const children = me.children.map(({ user_id, name }): Person => ({ user_id, name: name ?? user_id }));
  const family: Person[] = [{ user_id: me.user_id, name: null }, ...children];
  const isParent = me.roles.every((role) => role === 'parent');
  const isForChildren = isParent && (event.visibility === 'students_only' || event.slots !== null);
  const unregistered = family.filter(
    ({ user_id }) => !own.data.some((one) => one.user_id === user_id) && !(isForChildren && user_id === me.user_id),
  );
  // Once a child is registered, its registration has the bar; the parent rarely comes as a guest.
  const offersMore = registered === 0 || unregistered.some(({ name }) => name !== null);
  const offer = viewedAs() === null && admission.status && unregistered.length > 0 && (
    <Button
      ref={button}
      look={registered > 0 && !(bar && offersMore) ? 'plain' : 'main'}
      className="min-h-11 w-full"
      onClick={() => setOpen(true)}
    >
      {offerText(own, unregistered, me.user_id)}
    </Button>
  );
  return (
    <div className="grid gap-3">
      {own.stage !== 'over' && <Terms event={event} />}
      <div ref={status} tabIndex={-1} className="grid scroll-mt-20 gap-2 rounded-lg outline-offset-4 empty:hidden">
        {own.data.map((one) => {
          const person = family.find(({ user_id }) => user_id === one.user_id);
          const name = person ? person.name : one.user_id;
          const inBar = registered === 1 && !(offer && offersMore) ? bar : null;
          return (
            <OwnRegistration
              key={one.id}
              registration={one}
              event={event}
              own={own.data}
              name={name}
              bar={inBar}
              onLeft={() => close(button)}
            />
          );
        })}
      </div>
      {event.registration_url && (
        <ButtonAnchor
          href={event.registration_url}
          target="_blank"
          rel="noreferrer"
          className="w-full"
          icon={ExternalLink}
        >
          {t('register.external')}
        </ButtonAnchor>
      )}
      {isOpen && (
        <RegisterForm
          event={event}
          people={unregistered}
          own={own.data}
          leadsTo={admission.status}
          closed={closed}
          onDone={() => close(status)}
          onClose={() => close(button)}
        />
      )}
      {!isOpen && offer && (
        <InBar bar={offersMore ? bar : null} text={barText(event)}>
          {offer}
        </InBar>
      )}
      {!isOpen && registered === 0 && closed && <p className="text-soft">{closed}</p>}
    </div>
  );
}

/** The button's text, for those of the family who are not registered yet. */
function offerText({ admission, data }: Own, unregistered: readonly { user_id: string }[], me: string): string {
  const isChild = ({ user_id }: { user_id: string }) => user_id !== me;
  if (admission.status === 'waitlisted') return t('register.waitlist');
  if (data.length === 0) return t('action.register');
  if (!unregistered.some(isChild)) return t('register.myself');
  return t(data.some(isChild) ? 'register.another' : 'register.child');
}

/** The free places, and the deadline if there is one that counts. */
const barText = (event: SchoolEvent): string => [placesText(event), deadlineText(event)].filter(Boolean).join(' · ');

/** The deadline; null also while an event without a date has that of the old date. */
function deadlineText(event: SchoolEvent): string | null {
  const { registration_deadline: deadline, timezone } = event;
  return deadline && !isUndecided(event) ? t('register.until', { when: momentIn(deadline, timezone) }) : null;
}

/** Why registration is closed: not published yet, over, or the API's reason. */
function closedText(stage: Own['stage'], code: string | null): string {
  if (code === 'event_full') return t('register.full');
  if (code !== 'event_not_published') return word('problem', code ?? '', '');
  return stage === 'before' ? t('register.notOpen') : t('register.over');
}

function Terms({ event }: { event: SchoolEvent }) {
  const { max_attendees: all, current_attendees: taken } = event;
  const price = priceText(event);
  return (
    <div className="grid gap-1.5 text-sm text-soft">
      <p className="text-base font-medium text-ink" data-testid="spots">
        {placesText(event)}
      </p>
      {all !== null && <ShareBar share={taken / all} />}
      <p className="empty:hidden">{deadlineText(event)}</p>
      {price ? <p>{t('event.cost', { cost: price })}</p> : event.is_free && <p>{t('event.free')}</p>}
    </div>
  );
}
