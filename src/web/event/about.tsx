import { Link } from '@tanstack/react-router';
import { AlignLeft, FileText, Mail, Paperclip, UserRound } from 'lucide-react';
import { Fragment } from 'react';
import type { SchoolEvent } from '../api/types.ts';
import { Section } from '../parts/page.tsx';
import { groupName, sizeText, t } from '../texts/texts.ts';

const LINK = /(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])/g;

type Described = Pick<SchoolEvent, 'description' | 'image_url'>;

/** The picture, and the description with its line breaks and with URLs as links. */
export function Description({ event: { description, image_url } }: { event: Described }) {
  if (!description && !image_url) return null;
  return (
    <Section title={t('event.description')} icon={AlignLeft}>
      {image_url && <img src={image_url} alt="" className="mb-3 max-h-96 rounded-xl object-contain last:mb-0" />}
      <p className="max-w-prose leading-relaxed whitespace-pre-line empty:hidden">
        {description?.split(LINK).map((part, at) =>
          at % 2 === 1 ? (
            <a key={String(at)} href={part} target="_blank" rel="noreferrer" className="text-accent-text underline">
              {part}
            </a>
          ) : (
            <Fragment key={String(at)}>{part}</Fragment>
          ),
        )}
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
          href={`mailto:${email}`}
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
