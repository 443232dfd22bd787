import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AlignLeft, ExternalLink, FileText, Mail, MapPin, Paperclip, UserRound, UsersRound, Video } from 'lucide-react';
import { useMay } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { namesQuery } from '../event-parts/people.ts';
import { isDerived, NO_ONE } from '../event-parts/visibility.ts';
import { ButtonAnchor } from '../parts/button.tsx';
import { LinkedText } from '../parts/linked-text.tsx';
import { Section } from '../parts/page.tsx';
import { groupName, sizeText, t, word } from '../texts/texts.ts';
import { type Located, locationLines } from './event-texts.ts';

/** The picture, and the description with its line breaks and with URLs as links. */
export function Description({ event: { description, image_url } }: { event: SchoolEvent }) {
  if (!description && !image_url) return null;
  return (
    <Section title={t('event.description')} icon={AlignLeft}>
      {image_url && <img src={image_url} alt="" className="mb-3 max-h-96 rounded-xl object-contain last:mb-0" />}
      <p className="max-w-prose leading-relaxed whitespace-pre-line empty:hidden">
        <LinkedText text={description ?? ''} />
      </p>
    </Section>
  );
}

/** Links to the attachments. */
export function Attachments({ attachments }: Pick<SchoolEvent, 'attachments'>) {
  if (attachments.length === 0) return null;
  return (
    <Section title={t('event.attachments')} icon={Paperclip}>
      <ul className="-mx-2">
        {attachments.map(({ name, url, size }) => (
          <li key={url + name}>
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="flex min-h-10 items-center gap-2.5 rounded-lg px-2 py-1 hover:bg-hover"
            >
              <FileText size={18} className="shrink-0 text-soft" />
              <span className="min-w-0 grow truncate underline decoration-line underline-offset-4">{name}</span>
              {size !== undefined && <span className="shrink-0 text-sm text-soft">{sizeText(size)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The organizer with contact and other events. */
export function Organizer({ event }: { event: SchoolEvent }) {
  const { organizer, organizer_id: id, department_id } = event;
  const { name, email } = organizer ?? {};
  if (!name && !email && !department_id) return null;
  return (
    <Section title={t('event.organizer')} icon={UserRound}>
      {name && <p className="font-medium">{name}</p>}
      {department_id && <p className={name ? 'text-soft' : 'font-medium'}>{groupName(department_id)}</p>}
      {email && (
        <a
          href={`mailto:${email.split('@').map(encodeURIComponent).join('@')}`}
          className="inline-flex min-h-6 items-center gap-1.5 text-accent-text underline wrap-anywhere"
        >
          <Mail size={15} className="shrink-0" />
          {email}
        </a>
      )}
      {id && (
        <Link
          to="/events"
          search={{ view: 'agenda', organizer: [id] }}
          data-print="no"
          className="mt-1 flex min-h-6 items-center text-sm text-soft underline hover:text-ink"
        >
          {t('event.sameOrganizer')}
        </Link>
      )}
    </Section>
  );
}

/** number of people listed by name */
const NAMED = 20;

/** The audience, unless it is everyone; for those who may know, also the people it is restricted to. */
export function Audience({ event }: { event: SchoolEvent }) {
  const { target_audience, class_id, grade_level_ids, restricted_to } = event;
  const lines = [
    ...(target_audience.includes('all') ? [] : [target_audience.map((one) => word('audience', one)).join(', ')]),
    ...(class_id ? [t('event.class', { name: groupName(class_id) })] : []),
    ...grade_level_ids.map((id) => t('event.grade', { name: groupName(id) })),
  ].filter((line) => line !== '');
  // Named above already, if it follows from the audience.
  const isNamed = isDerived({ ...event, restricted_to: { ...NO_ONE, ...restricted_to } });
  const limits = event.visibility === 'restricted' && !isNamed ? restricted_to : null;
  if (lines.length === 0 && !limits) return null;
  return (
    <Section title={t('event.audience')} icon={UsersRound}>
      <ul className="grid gap-0.5 empty:hidden">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {limits && <RestrictedTo limits={limits} />}
    </Section>
  );
}

function RestrictedTo({ limits }: { limits: NonNullable<SchoolEvent['restricted_to']> }) {
  const { user_ids = [], roles = [], class_ids = [], grade_level_ids = [], department_ids = [] } = limits;
  const mayAsk = useMay('choose_audience');
  const shown = user_ids.slice(0, NAMED);
  const { data: names } = useQuery({ ...namesQuery(shown), enabled: mayAsk && shown.length > 0 });
  // A person must match one group of every kind listed.
  const kinds = [
    roles.map((role) => word('role', role)),
    class_ids.map((id) => t('event.class', { name: groupName(id) })),
    grade_level_ids.map((id) => t('event.grade', { name: groupName(id) })),
    department_ids.map(groupName),
  ].filter((kind) => kind.length > 0);
  const groups = kinds.length > 0 ? [kinds.map((kind) => kind.join(' / ')).join(' + ')] : [];
  const people = shown.map((id) => names?.get(id)?.name ?? id);
  const more = user_ids.length - shown.length;
  return (
    <>
      <h3 className="mt-2 mb-1 text-sm font-medium text-soft first:mt-0">{t('event.restrictedTo')}</h3>
      <ul className="flex flex-wrap gap-1.5">
        {[...groups, ...people].map((one, at) => (
          <li key={`${String(at)} ${one}`} className="rounded-md bg-hover px-2 py-0.5 text-sm">
            {one}
          </li>
        ))}
        {more > 0 && <li className="px-1 py-0.5 text-sm text-soft">{t('list.more', { count: more })}</li>}
        {groups.length + people.length === 0 && <li className="text-sm">{t('editor.restrictedNoOne')}</li>}
      </ul>
    </>
  );
}

const mapOf = (location: Located['location']): string | null => {
  const { mapLink, coordinates } = location ?? {};
  if (mapLink) return mapLink;
  if (!coordinates) return null;
  const { latitude, longitude } = coordinates;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
};

/** The location, with links to a map and to the online meeting. */
export function Where({ event }: { event: Located }) {
  const lines = locationLines(event);
  const { isVirtual = false, virtualLink } = event.location ?? {};
  const map = mapOf(event.location);
  if (lines.length === 0 && !isVirtual && !map) return null;
  const Picture = isVirtual ? Video : MapPin;
  return (
    <Section title={t('event.location')} icon={Picture}>
      {isVirtual && <p className="font-medium">{t('event.online')}</p>}
      {lines.map((line, at) => (
        <p key={line} className={at === 0 && !isVirtual ? 'font-medium' : 'text-soft'}>
          {line}
        </p>
      ))}
      {(map || virtualLink) && (
        <div className="mt-3 flex flex-wrap gap-2">
          {virtualLink && (
            <ButtonAnchor href={virtualLink} target="_blank" rel="noreferrer" look="main" icon={Video}>
              {t('event.meetingLink')}
            </ButtonAnchor>
          )}
          {map && (
            <ButtonAnchor href={map} target="_blank" rel="noreferrer" icon={ExternalLink}>
              {t('event.map')}
            </ButtonAnchor>
          )}
        </div>
      )}
    </Section>
  );
}
